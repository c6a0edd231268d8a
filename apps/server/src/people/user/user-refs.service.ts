import { Injectable } from '@nestjs/common';
import { type ErrorDetail } from '#libs/contracts';
import { type Tx } from '../../common/database/transactions.js';
import { ValidationFailedError } from '../../common/errors/app-error.js';
import { UserRepository } from './user.repository.js';
import { type UserRef } from './user.types.js';

/** References to users in documents: by address. */
@Injectable()
export class UserRefsService {
  constructor(private readonly users: UserRepository) {}

  /** Ordered by id; a user who was removed or has no address is referenced by id. */
  async namesOf(orgId: number, ids: readonly number[], tx: Tx): Promise<(ids: readonly number[]) => UserRef[]> {
    const users = ids.length === 0 ? [] : await this.users.findMany(orgId, [...new Set(ids)], tx);
    const names = new Map(users.map(({ id, email }) => [id, email]));
    return (those) => [...new Set(those)].map((id) => names.get(id) ?? id).sort(inOrder);
  }

  /**
   * User ids for the entries of lists. Ids are not checked: the API call checks that the users exist.
   * @throws ValidationFailedError that names the list with an unknown address
   */
  async idsOf<L extends string>(
    orgId: number,
    lists: Readonly<Record<L, readonly UserRef[]>>,
    tx: Tx,
  ): Promise<Record<L, number[]>> {
    const entries = Object.entries(lists) as [L, readonly UserRef[]][];
    const emails = entries.flatMap(([, refs]) => refs.filter((ref) => typeof ref === 'string'));
    const users = emails.length === 0 ? [] : await this.users.findByEmails(orgId, emails, tx);
    const ids = new Map(users.map(({ id, email }) => [email!.toLowerCase(), id]));
    const problems: ErrorDetail[] = [];
    const found = entries.map(([field, refs]) => {
      const unknown: UserRef[] = [];
      const known = refs.flatMap((ref) => {
        const id = typeof ref === 'number' ? ref : ids.get(ref.toLowerCase());
        if (id !== undefined) return [id];
        unknown.push(ref);
        return [];
      });
      if (unknown.length > 0) {
        problems.push({ field, code: 'unknown_user', message: `${field}: there is no user ${unknown.join(' or ')}` });
      }
      return [field, [...new Set(known)]];
    });
    if (problems.length > 0) throw new ValidationFailedError(problems);
    return Object.fromEntries(found) as Record<L, number[]>;
  }
}

const inOrder = (one: UserRef, other: UserRef): number => (String(one) < String(other) ? -1 : 1);
