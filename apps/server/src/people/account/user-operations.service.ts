import { Injectable } from '@nestjs/common';
import { AuditTrailService } from '../../platform/audit/audit-trail.service.js';
import { type AuditChange, OPERATOR_ACTOR } from '../../platform/audit/audit.types.js';
import { Transactions, type Tx } from '../../common/database/transactions.js';
import { changesBetween } from '../../platform/audit/audit-act.functions.js';
import { EventRecorderService } from '../../platform/event/event-recorder.service.js';
import { AccountAccessService } from '../session/account-access.service.js';
import { AdministratorsService } from '../user/administrators.service.js';
import { auditedUser, nameForOthers } from '../user/user.functions.js';
import { LastAdminError } from '../user/user.errors.js';
import { UserService } from '../user/user.service.js';
import { type NewUser, type User, USER_STATES } from '../user/user.types.js';

const PAGE = 1000;

/**
 * Operations on users for operators, through the command line, with or without a running server. No method checks the
 * caller: it needs access to the database.
 */
@Injectable()
export class UserOperationsService {
  constructor(
    private readonly users: UserService,
    private readonly administrators: AdministratorsService,
    private readonly access: AccountAccessService,
    private readonly transactions: Transactions,
    private readonly events: EventRecorderService,
    private readonly audit: AuditTrailService,
  ) {}

  /** All users of an organisation, ordered by id. */
  async listUsers(orgId: number): Promise<User[]> {
    const all: User[] = [];
    for (;;) {
      const [users, total] = await this.users.list(orgId, USER_STATES, { limit: PAGE, offset: all.length });
      all.push(...users);
      if (users.length === 0 || all.length >= total) return all;
    }
  }

  /** Finds a user by address, or by id in decimal; null if there is none. */
  async find(addressOrId: string): Promise<User | null> {
    const isId = /^\d{1,9}$/.test(addressOrId);
    const login = isId ? null : await this.users.findLogin(addressOrId);
    const userId = isId ? Number(addressOrId) : login?.userId;
    const orgId = userId === undefined ? null : await this.users.orgOf(userId);
    if (userId === undefined || orgId === null) return null;
    return this.users.getById(orgId, userId);
  }

  /** @throws OrgNotFoundError, BadEmailError, WeakPasswordError, EmailTakenError */
  create(user: NewUser): Promise<User> {
    return this.transactions.run(async (tx) => {
      const created = await this.users.create(user, tx);
      await this.recordAct(
        'user.create',
        created,
        changesBetween({}, { email: created.email, admin: created.admin }),
        tx,
      );
      return created;
    });
  }

  /**
   * Disables a user, who can no longer log in, and ends all sessions of the user.
   * @returns true if anything changed
   * @throws LastAdminError
   */
  async disable(orgId: number, userId: number): Promise<boolean> {
    return this.transactions.run(async (tx) => {
      // Take the lock first: data that is read after it stays valid.
      const isLast = await this.administrators.isLast(orgId, userId, tx);
      const before = await this.users.getById(orgId, userId, tx);
      if (before.state === 'disabled') return false;
      if (isLast) throw new LastAdminError();
      const after = await this.users.update(orgId, userId, { state: 'disabled' }, tx);
      await this.access.endSessionsOf(userId, tx);
      await this.recordAct('user.disable', after, changesBetween(stateOf(before), stateOf(after)), tx);
      this.recordEvent('user_changed', after, 'can no longer log in', tx);
      return true;
    });
  }

  /**
   * The inverse of `disable`. A user who never had a password is invited again, and needs one.
   * @returns the updated user, null if nothing changed
   */
  async enable(orgId: number, userId: number): Promise<User | null> {
    return this.transactions.run(async (tx) => {
      const before = await this.users.getById(orgId, userId, tx);
      if (before.state !== 'disabled') return null;
      const hasNeverJoined = before.lastLoginAt === null && (await this.users.passwordHash(orgId, userId, tx)) === null;
      const after = await this.users.update(orgId, userId, { state: hasNeverJoined ? 'invited' : 'active' }, tx);
      await this.recordAct('user.enable', after, changesBetween(stateOf(before), stateOf(after)), tx);
      this.recordEvent('user_changed', after, 'can log in again', tx);
      return after;
    });
  }

  /** Removes a user; objects that the user created stay. @throws LastAdminError */
  async remove(orgId: number, userId: number): Promise<void> {
    await this.transactions.run(async (tx) => {
      await this.administrators.requireAnother(orgId, userId, tx);
      const user = await this.users.getById(orgId, userId, tx);
      await this.recordAct('user.remove', user, [], tx);
      await this.users.remove(orgId, userId, tx);
      this.recordEvent('user_removed', user, 'was removed', tx);
    });
  }

  private async recordAct(action: string, user: User, changes: readonly AuditChange[], tx: Tx): Promise<void> {
    const object = auditedUser(user);
    await this.audit.record({ orgId: orgOf(user), actor: OPERATOR_ACTOR, action, object, changes }, tx);
  }

  private recordEvent(type: 'user_changed' | 'user_removed', user: User, what: string, tx: Tx): void {
    const ref = { kind: 'user', id: String(user.id) };
    const message = `${nameForOthers(user)} ${what}.`;
    this.events.record({ orgId: orgOf(user), type, level: 'info', message, ref }, tx);
  }
}

function stateOf({ state }: User): Pick<User, 'state'> {
  return { state };
}

/** Users that are found by their organisation always have one. */
function orgOf({ id, orgId }: User): number {
  if (orgId === null) throw new Error(`User ${String(id)} belongs to no organisation`);
  return orgId;
}
