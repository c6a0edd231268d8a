import { Injectable } from '@nestjs/common';
import { PasswordService } from '../user/password.service.js';
import { UserService } from '../user/user.service.js';
import { type LoginAccount } from '../user/user.types.js';
import { LoginLimiter } from './login-limiter.js';
import { LoginLocks } from './login-locks.service.js';
import { LoginFailedError } from './session.errors.js';

/** Decides whether an address and a password belong together. */
@Injectable()
export class LoginVerifier {
  constructor(
    private readonly limiter: LoginLimiter,
    private readonly users: UserService,
    private readonly passwords: PasswordService,
    private readonly locks: LoginLocks,
  ) {}

  /**
   * Every failure takes the time of one password check and says the same.
   * @throws RateLimitedError, TooManyLoginsError, LoginFailedError
   */
  async verify(email: string, password: string, address: string | undefined): Promise<LoginAccount> {
    const login = await this.limiter.begin(email, address);
    const account = await this.users.findLogin(email);
    const fits = await this.limiter.unlessBroken(login, () =>
      this.passwords.verify(account?.passwordHash ?? null, password),
    );
    if (!account || !fits || account.state !== 'active') {
      this.locks.noteFailure(login.account, account);
      throw new LoginFailedError();
    }
    await this.limiter.forgive(login);
    return account;
  }
}
