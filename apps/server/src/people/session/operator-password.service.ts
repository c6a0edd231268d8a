import { Injectable } from '@nestjs/common';
import { AuditTrailService } from '../../platform/audit/audit-trail.service.js';
import { OPERATOR_ACTOR } from '../../platform/audit/audit.types.js';
import { Transactions } from '../../common/database/transactions.js';
import { changesBetween } from '../../platform/audit/audit-act.functions.js';
import { OrgService } from '../org/org.service.js';
import { auditedUser } from '../user/user.functions.js';
import { UserStateConflictError } from '../user/user.errors.js';
import { UserService } from '../user/user.service.js';
import { type User } from '../user/user.types.js';
import { AccountAccessService } from './account-access.service.js';
import { LoginLimiter } from './login-limiter.js';
import { LoginMailsService } from './login-mails.service.js';

/** A new password set by the operator: for users who have forgotten theirs if no mail can be sent. */
@Injectable()
export class OperatorPasswordService {
  constructor(
    private readonly users: UserService,
    private readonly orgs: OrgService,
    private readonly access: AccountAccessService,
    private readonly limiter: LoginLimiter,
    private readonly mails: LoginMailsService,
    private readonly audit: AuditTrailService,
    private readonly transactions: Transactions,
  ) {}

  /**
   * All sessions and links of the user end, all clients become unknown, and a lock of the account is lifted. An invited
   * user becomes active; a disabled one stays disabled.
   * @returns the changed user
   * @throws UserNotFoundError, UserStateConflictError, WeakPasswordError
   */
  async setPassword(orgId: number, userId: number, password: string): Promise<User> {
    const user = await this.transactions.run(async (tx) => {
      const before = await this.users.getById(orgId, userId, tx);
      if (before.demo) throw new UserStateConflictError('A visitor of a demo organisation has no password.');
      await this.users.setPassword(orgId, userId, password, tx);
      const isUnconfirmed = (await this.users.activeAdministrators(orgId, tx)).length === 0;
      const hasJoined = await this.users.activate(orgId, userId, tx);
      // The operator confirms a sign-up instead of the mail: it is not erased for a missing confirmation.
      if (hasJoined && isUnconfirmed) await this.orgs.setWipe(orgId, null, tx);
      await this.access.endAllOf(userId, tx);
      const after = await this.users.getById(orgId, userId, tx);
      await this.audit.record(
        {
          orgId,
          actor: OPERATOR_ACTOR,
          action: 'user.password_reset',
          object: auditedUser(after),
          changes: changesBetween({ state: before.state }, { state: after.state }),
        },
        tx,
      );
      await this.mails.queuePasswordNotice(orgId, after, undefined, tx);
      return after;
    });
    if (user.email !== null) await this.limiter.forgetFailures(user.email, user.id);
    return user;
  }
}
