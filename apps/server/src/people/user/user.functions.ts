import {
  ONBOARDING_EXTRA_FLAGS,
  ONBOARDING_FLAGS,
  type OnboardingFlag,
  type OnboardingFlags,
  Permission,
} from '#libs/contracts';
import { type KnownCaller } from '../../common/auth/caller.js';
import { secondsOf } from '../../common/time.js';
import { type OrgDto } from '../org/org.dto.js';
import { type UserDto } from './user.dto.js';
import { type User, type Viewer } from './user.types.js';

/** The User record in the form that `viewer` may see: only administrators see contact data of others. */
export function toUserDto(user: User, org: OrgDto, viewer: Viewer): UserDto {
  const seesAll = viewer.admin || viewer.userId === user.id;
  return {
    id: user.id,
    org_id: org.id,
    name: user.name,
    email: seesAll ? (user.email ?? '') : '',
    phone_number: seesAll ? (user.phoneNumber ?? '') : null,
    chat_member_id: seesAll ? user.chatMemberId : null,
    demo: user.demo,
    admin: user.admin,
    org,
    notifications: { email_alerts: user.emailAlerts },
    onboarding_flags: mainFlags(user.onboardingFlags),
    state: user.state,
    last_login_timestamp: seesAll && user.lastLoginAt ? secondsOf(user.lastLoginAt) : null,
  };
}

/** The flags in the form of the status block: the eight always, the others once they are set. */
export function toOnboardingFlags(set: User['onboardingFlags']): OnboardingFlags {
  const extra = ONBOARDING_EXTRA_FLAGS.filter((flag) => set[flag]).map((flag) => [flag, true] as const);
  return { ...mainFlags(set), ...Object.fromEntries(extra) };
}

function mainFlags(set: User['onboardingFlags']): Record<OnboardingFlag, boolean> {
  return Object.fromEntries(ONBOARDING_FLAGS.map((flag) => [flag, set[flag] ?? false])) as Record<
    OnboardingFlag,
    boolean
  >;
}

export function viewerOf(caller: KnownCaller): Viewer {
  const admin = (caller.permissions & Permission.Admin) !== 0;
  return caller.kind === 'user'
    ? { userId: caller.userId, admin, demo: caller.demo }
    : { userId: null, admin, demo: false };
}

/** True if `viewer` may know that the user exists. */
export function isVisibleTo(user: User, viewer: Viewer): boolean {
  return !viewer.demo || viewer.userId === user.id;
}

/** The name of a user in texts that all members read, such as events: never the address. */
export function nameForOthers({ id, name }: Pick<User, 'id' | 'name'>): string {
  return name === '' ? `User ${String(id)}` : name;
}

/** The name of a user as `viewer` reads it: administrators see the address of a user without name. */
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
