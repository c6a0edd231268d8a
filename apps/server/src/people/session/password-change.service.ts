import { Injectable } from '@nestjs/common';
import { type ErrorDetail } from '#libs/contracts';
import { type UserCaller } from '../../common/auth/caller.js';
import { Transactions } from '../../common/database/transactions.js';
import { type JudgedParams } from '../../common/validation/judged-params.js';
import { PasswordService } from '../user/password.service.js';
import { WeakPasswordError } from '../user/user.errors.js';
import { UserService } from '../user/user.service.js';
import { type User } from '../user/user.types.js';
import { type UpdatePasswordParams } from './dto/login.params.js';
import { type DoneDto } from './dto/session-answers.dto.js';
import { OldPasswordCheckService } from './old-password-check.service.js';
import { PasswordActsService } from './password-acts.service.js';
import { SessionRenewalService } from './session-renewal.service.js';
import { type LoginClient } from './session.types.js';

/** A new password for a user who knows the old one. */
@Injectable()
export class PasswordChangeService {
  constructor(
    private readonly users: UserService,
    private readonly passwords: PasswordService,
    private readonly oldPassword: OldPasswordCheckService,
    private readonly renewal: SessionRenewalService,
    private readonly acts: PasswordActsService,
    private readonly transactions: Transactions,
  ) {}

  /**
   * All sessions end; the client continues in a new one. @throws ValidationFailedError, RateLimitedError,
   * OldPasswordWrongError
   */
  async change(caller: UserCaller, judged: JudgedParams<UpdatePasswordParams>, client: LoginClient): Promise<DoneDto> {
    const { userId } = caller;
    const orgId = caller.org.id;
    const user = await this.users.getById(orgId, userId);
    const { old_password: old, new_password_1: password } = judged.requireSound(
      this.problems(judged.sound.new_password_1, user),
    );
    await this.oldPassword.check(orgId, user, old);
    const begun = await this.transactions.run(async (tx) => {
      await this.users.setPassword(orgId, userId, password, tx, 'new_password_1');
      await this.renewal.endAllOf(userId, tx);
      await this.acts.recordChange(caller, user, client.address, tx);
      return this.renewal.begin(userId, client, tx);
    });
    await this.renewal.complete(client, begun);
    return { message: 'OK' };
  }

  private problems(password: string | undefined, { email }: User): readonly ErrorDetail[] {
    const problem = password === undefined ? undefined : this.passwords.problem(password, email ?? '');
    return problem === undefined ? [] : new WeakPasswordError(problem, 'new_password_1').details;
  }
}
