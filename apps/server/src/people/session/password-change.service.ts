import { Injectable } from '@nestjs/common';
import { type UserCaller } from '../../common/auth/caller.js';
import { Transactions } from '../../common/database/transactions.js';
import { PasswordService } from '../user/password.service.js';
import { WeakPasswordError } from '../user/user.errors.js';
import { UserService } from '../user/user.service.js';
import { type UpdatePasswordParams } from './dto/login.params.js';
import { type DoneDto } from './dto/session-answers.dto.js';
import { OldPasswordCheck } from './old-password-check.service.js';
import { PasswordActs } from './password-acts.service.js';
import { SessionRenewal } from './session-renewal.service.js';
import { type LoginClient } from './session.types.js';

/** A new password for who knows the old one. */
@Injectable()
export class PasswordChange {
  constructor(
    private readonly users: UserService,
    private readonly passwords: PasswordService,
    private readonly oldPassword: OldPasswordCheck,
    private readonly renewal: SessionRenewal,
    private readonly acts: PasswordActs,
    private readonly transactions: Transactions,
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
    await this.oldPassword.check(orgId, user, old, client.address);
    const begun = await this.transactions.run(async (tx) => {
      await this.users.setPassword(orgId, userId, password, tx, 'new_password_1');
      await this.renewal.endAllOf(userId, tx);
      await this.acts.recordChange(caller, user, client.address, tx);
      return this.renewal.begin(userId, tx);
    });
    await this.renewal.complete(client, begun);
    return { message: 'OK' };
  }
}
