import { type User, type Viewer } from './user.types.js';

/** How a user is called where everybody reads it, as in events: never by the address. */
export function nameForOthers({ id, name }: Pick<User, 'id' | 'name'>): string {
  return name === '' ? `User ${String(id)}` : name;
}

/** How `viewer` reads the name of a user: administrators see the address of one without name. */
export function displayName(user: Pick<User, 'id' | 'name' | 'email'>, { admin }: Pick<Viewer, 'admin'>): string {
  return user.name === '' && admin && user.email !== null ? user.email : nameForOthers(user);
}

/** Addresses are compared ignoring case. */
export function isSameEmail(one: string, other: string | null): boolean {
  return one.toLowerCase() === other?.toLowerCase();
}

/** A user as the object of an audit entry. */
export function auditedUser({ id, name, email }: User): { type: 'user'; id: string; name: string } {
  return { type: 'user', id: String(id), name: name === '' ? (email ?? '') : name };
}
