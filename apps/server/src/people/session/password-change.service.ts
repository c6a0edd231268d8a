import { Injectable } from '@nestjs/common';
import { type ErrorDetail } from '#libs/contracts';
import { SessionExpiredError } from '../../common/auth/auth.errors.js';
import { type UserCaller } from '../../common/auth/caller.js';
import { Transactions } from '../../common/database/transactions.js';
import { type JudgedParams } from '../../common/validation/judged-params.js';
import { PasswordService } from '../user/password.service.js';
import { WeakPasswordError } from '../user/user.errors.js';
import { UserService } from '../user/user.service.js';
import { type User } from '../user/user.types.js';
import { AccountAccessService } from './account-access.service.js';
import { type UpdatePasswordParams } from './dto/login.params.js';
import { type DoneDto } from './dto/session-answers.dto.js';
import { LoginLimiter } from './login-limiter.js';
import { PasswordActsService } from './password-acts.service.js';
import { OldPasswordWrongError } from './session.errors.js';
import { SessionService } from './session.service.js';
import { type LoginClient } from './session.types.js';

/** A new password for a user who knows the current one. */
@Injectable()
export class PasswordChangeService {
  constructor(
    private readonly users: UserService,
    private readonly passwords: PasswordService,
    private readonly limiter: LoginLimiter,
    private readonly access: AccountAccessService,
    private readonly sessions: SessionService,
    private readonly acts: PasswordActsService,
    private readonly transactions: Transactions,
  ) {}

  /**
   * All sessions end; the client continues in a new one.
   * @throws ValidationFailedError, RateLimitedError, OverloadedError, OldPasswordWrongError, SessionExpiredError
   */
  async change(caller: UserCaller, judged: JudgedParams<UpdatePasswordParams>, client: LoginClient): Promise<DoneDto> {
    const { userId } = caller;
    const orgId = caller.org.id;
    const user = await this.users.getById(orgId, userId);
    const { old_password: old, new_password_1: password } = judged.requireSound(
      this.problems(judged.sound.new_password_1, user),
    );
    await this.checkOldPassword(orgId, user, old);
    const { id } = await this.transactions.run(async (tx) => {
      await this.users.setPassword(orgId, userId, password, tx, 'new_password_1');
      // A link that was requested with the old password becomes invalid.
      await this.access.endSessionsOf(userId, tx);
      await this.acts.recordChange(caller, user, client.address, tx);
      return this.sessions.begin(userId, tx, undefined, client);
    });
    if ((await this.sessions.enter(client, id)) === null) throw new SessionExpiredError();
    return { message: 'OK' };
  }

  /** A wrong password counts as a failed login. */
  private async checkOldPassword(orgId: number, { id: userId }: User, password: string): Promise<void> {
    const login = await this.limiter.beginOfOwner({ userId });
    const fits = await this.limiter.unlessBroken(login, async () =>
      this.passwords.verify(await this.users.passwordHash(orgId, userId), password),
    );
    if (!fits) {
      this.limiter.noteFailure(login, { orgId, userId });
      throw new OldPasswordWrongError();
    }
    await this.limiter.forgive(login);
  }

  private problems(password: string | undefined, { email }: User): readonly ErrorDetail[] {
    const problem = password === undefined ? undefined : this.passwords.problem(password, email ?? '');
    return problem === undefined ? [] : new WeakPasswordError(problem, 'new_password_1').details;
  }
}
