import { Injectable } from '@nestjs/common';
import { PasswordService } from '../user/password.service.js';
import { UserService } from '../user/user.service.js';
import { type User } from '../user/user.types.js';
import { LoginLimiter } from './login-limiter.js';
import { OldPasswordWrongError } from './session.errors.js';

/** Checks that a user who is logged in knows the own password. */
@Injectable()
export class OldPasswordCheckService {
  constructor(
    private readonly users: UserService,
    private readonly passwords: PasswordService,
    private readonly limiter: LoginLimiter,
  ) {}

  /** A wrong password counts as a failed login. @throws RateLimitedError, OverloadedError, OldPasswordWrongError */
  async check(orgId: number, user: User, password: string): Promise<void> {
    const userId = user.id;
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
}
