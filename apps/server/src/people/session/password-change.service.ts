import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../../platform/audit/audit-trail.service.js';
import { actorOf } from '../../platform/audit/audit.types.js';
import { SessionExpiredError } from '../../common/auth/auth.errors.js';
import { type UserCaller } from '../../common/auth/caller.js';
import { Transactions } from '../../common/database/transactions.js';
import { AccountLinks } from '../user/account-links.service.js';
import { PasswordService } from '../user/password.service.js';
import { WeakPasswordError } from '../user/user.errors.js';
import { UserService } from '../user/user.service.js';
import { type UpdatePasswordParams } from './dto/login.params.js';
import { type DoneDto } from './dto/session-answers.dto.js';
import { LoginLimiter } from './login-limiter.js';
import { LoginLocks } from './login-locks.service.js';
import { LoginMails } from './login-mails.service.js';
import { SessionConfig } from './session.config.js';
import { OldPasswordWrongError } from './session.errors.js';
import { SessionService } from './session.service.js';
import { type LoginClient } from './session.types.js';

/** A new password for who knows the old one. */
@Injectable()
export class PasswordChange {
  constructor(
    private readonly users: UserService,
    private readonly passwords: PasswordService,
    private readonly links: AccountLinks,
    private readonly sessions: SessionService,
    private readonly limiter: LoginLimiter,
    private readonly locks: LoginLocks,
    private readonly mails: LoginMails,
    private readonly audit: AuditTrail,
    private readonly transactions: Transactions,
    private readonly config: SessionConfig,
  ) {}

  /** All sessions end; the client goes on in a new one. @throws WeakPasswordError, RateLimitedError, OldPasswordWrongError */
  async change(
    caller: UserCaller,
    { old_password: old, new_password_1: password }: UpdatePasswordParams,
    client: LoginClient,
  ): Promise<DoneDto> {
    const { userId } = caller;
    const orgId = caller.org.id;
    const user = await this.users.getById(orgId, userId);
    const problem = this.passwords.problem(password, user.email ?? '');
    if (problem !== undefined) throw new WeakPasswordError(problem, 'new_password_1');
    const login = await this.limiter.begin(user.email ?? `user ${String(userId)}`, client.address);
    const fits = await this.limiter.unlessBroken(login, async () =>
      this.passwords.verify(await this.users.passwordHash(orgId, userId), old),
    );
    if (!fits) {
      this.locks.noteFailure(login.account, { orgId, userId });
      throw new OldPasswordWrongError();
    }
    await this.limiter.forgive(login);
    const { id } = await this.transactions.run(async (tx) => {
      await this.users.setPassword(orgId, userId, password, tx, 'new_password_1');
      await this.sessions.endAllOf(userId, undefined, tx);
      // A link that somebody has asked for with the old password in hand is worth nothing any more.
      await this.links.revokeAllOf(userId, undefined, tx);
      await this.audit.record(
        {
          orgId,
          actor: actorOf(caller),
          action: 'user.password_change',
          object: { type: 'user', id: String(userId), name: user.email ?? user.name },
        },
        tx,
      );
      await this.mails.queuePasswordNotice(orgId, user, client.address, tx);
      return this.sessions.begin(userId, tx);
    });
    const renewed = await this.sessions.find(id);
    // Disabled or removed meanwhile.
    if (typeof renewed === 'string') throw new SessionExpiredError();
    client.enter(renewed, this.config.idleSeconds);
    return { message: 'OK' };
  }
}
