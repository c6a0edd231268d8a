import { Injectable } from '@nestjs/common';
import { type ErrorDetail } from '#libs/contracts';
import { AuditTrailService } from '../../platform/audit/audit-trail.service.js';
import { PermissionDeniedError } from '../../common/auth/auth.errors.js';
import { type KnownCaller, type UserCaller } from '../../common/auth/caller.js';
import { Transactions, type Tx } from '../../common/database/transactions.js';
import { type JudgedParams } from '../../common/validation/judged-params.js';
import { actorOf } from '../../platform/audit/audit-act.functions.js';
import { OrgErasureService } from '../erasure/org-erasure.service.js';
import { EventRecorderService } from '../../platform/event/event-recorder.service.js';
import { LoginService } from '../session/login.service.js';
import { AdministratorsService } from '../user/administrators.service.js';
import { auditedUser, nameForOthers } from '../user/user.functions.js';
import { type DeleteUserParams } from './dto/own-account.params.js';
import { type RemovedUserDto } from './dto/user-answers.dto.js';
import { LastAdminError, UserNotFoundError, UserStateConflictError } from '../user/user.errors.js';
import { UserService } from '../user/user.service.js';
import { type User } from '../user/user.types.js';

const REMOVE = 'user.remove';

/** Removes users, by themselves or by an administrator, and organisations with their last user. */
@Injectable()
export class AccountRemovalService {
  constructor(
    private readonly users: UserService,
    private readonly administrators: AdministratorsService,
    private readonly erasure: OrgErasureService,
    private readonly logins: LoginService,
    private readonly transactions: Transactions,
    private readonly events: EventRecorderService,
    private readonly audit: AuditTrailService,
  ) {}

  /**
   * Removes the caller, or another user if an administrator requests it.
   * @param address network address for which a wrong password is counted
   * @throws PermissionDeniedError, UserNotFoundError, ValidationFailedError, LoginFailedError, RateLimitedError,
   *   LastAdminError, UserStateConflictError
   */
  async delete(
    caller: UserCaller,
    judged: JudgedParams<DeleteUserParams>,
    address: string | undefined,
  ): Promise<RemovedUserDto> {
    const { user_id: userId = caller.userId, delete_org: ofOrg } = judged.sound;
    if ((userId !== caller.userId || ofOrg === true) && !caller.admin) throw new PermissionDeniedError('admin');
    const params = judged.requireSound(passwordProblems(caller, judged));
    if (userId !== caller.userId) {
      if (params.delete_org)
        throw new UserStateConflictError('delete_org requires that you remove yourself, not another user.');
      return this.removeOther(caller, userId, 'user_id');
    }
    const { email } = await this.users.getById(caller.org.id, userId);
    await this.logins.verify(email ?? '', params.password ?? '', { address, userId: caller.userId });
    return params.delete_org ? this.deleteOrg(caller) : this.remove(caller, userId);
  }

  /**
   * @param field the parameter that names the user, unless it is the path
   * @throws UserNotFoundError, LastAdminError, UserStateConflictError
   */
  async removeOther(caller: KnownCaller, userId: number, field?: string): Promise<RemovedUserDto> {
    if (caller.kind === 'user' && caller.userId === userId) {
      if (await this.transactions.run((tx) => this.administrators.isLast(caller.org.id, userId, tx))) {
        throw new LastAdminError();
      }
      throw new UserStateConflictError('Remove your own account with POST /user/delete, which needs the password.');
    }
    return this.remove(caller, userId, field);
  }

  private async remove(caller: KnownCaller, userId: number, field?: string): Promise<RemovedUserDto> {
    const orgId = caller.org.id;
    const answer = { user_id: userId, org_deleted: false, message: 'OK' };
    // Ids are never reused: no other user gets the id of a removed one.
    if ((await this.audit.findChanges(orgId, REMOVE, { id: String(userId) })) !== null) return answer;
    await this.transactions.run(async (tx) => {
      // Take the lock first: data that is read after it stays valid.
      const isLast = await this.administrators.isLast(orgId, userId, tx);
      const user = await this.find(orgId, userId, field, tx);
      if (isLast) throw new LastAdminError();
      // Before the row is deleted: the entry contains the name of the actor.
      await this.audit.record({ orgId, actor: actorOf(caller), action: REMOVE, object: auditedUser(user) }, tx);
      await this.users.remove(orgId, userId, tx);
      this.events.record(
        {
          orgId,
          type: 'user_removed',
          level: 'info',
          message: `${nameForOthers(user)} was removed.`,
          ref: { kind: 'user', id: String(userId) },
          ...(caller.kind === 'user' && caller.userId !== userId ? { userId: caller.userId } : {}),
        },
        tx,
      );
    });
    return answer;
  }

  private async deleteOrg(caller: UserCaller): Promise<RemovedUserDto> {
    const orgId = caller.org.id;
    await this.erasure.begin(orgId, actorOf(caller), async (tx) => {
      if (!(await this.administrators.isLast(orgId, caller.userId, tx))) {
        throw new UserStateConflictError(
          'The organisation has other administrators: only the last one can delete it, remove the others first.',
        );
      }
    });
    return { user_id: caller.userId, org_deleted: true, message: 'OK' };
  }

  private async find(orgId: number, userId: number, field: string | undefined, tx: Tx): Promise<User> {
    const [user] = await this.users.findByIds(orgId, [userId], tx);
    if (!user) throw new UserNotFoundError(userId, field);
    return user;
  }
}

/** Users need their password to remove their own account. */
function passwordProblems(caller: UserCaller, judged: JudgedParams<DeleteUserParams>): ErrorDetail[] {
  const { user_id: userId = caller.userId, password } = judged.sound;
  const isOwn = userId === caller.userId && !judged.isFaulty('user_id');
  if (!isOwn || password !== undefined || judged.isFaulty('password')) return [];
  return [{ field: 'password', code: 'required', message: 'password is required to remove your own account' }];
}
