import { Injectable } from '@nestjs/common';
import { PasswordService } from '../user/password.service.js';
import { UserService } from '../user/user.service.js';
import { type LoginAccount } from '../user/user.types.js';
import { KnownClientsService } from './known-clients.service.js';
import { LoginLimiter, type LoginTry } from './login-limiter.js';
import { LoginLocks } from './login-locks.service.js';
import { LoginFailedError } from './session.errors.js';

/** Where a password comes from. */
export interface LoginOrigin {
  /** Network address. */
  address: string | undefined;
  /** As the client presents it; counts once it is known to be of the account. */
  clientId?: string | undefined;
  /** Of somebody who is logged in. */
  userId?: number;
}

/** Decides whether an address and a password belong together. */
@Injectable()
export class LoginVerifier {
  constructor(
    private readonly limiter: LoginLimiter,
    private readonly users: UserService,
    private readonly clients: KnownClientsService,
    private readonly passwords: PasswordService,
    private readonly locks: LoginLocks,
  ) {}

  /**
   * Every failure takes the time of one password check and says the same.
   * @throws RateLimitedError, OverloadedError, LoginFailedError
   */
  async verify(email: string, password: string, from: LoginOrigin): Promise<LoginAccount> {
    const isStranger = from.userId === undefined && from.clientId === undefined;
    // Who shows nothing is counted first: one that is refused costs no look-up.
    const counted = isStranger ? await this.limiter.begin(email, from.address) : undefined;
    const find = () => this.users.findLogin(email);
    const account = await (counted ? this.limiter.unlessBroken(counted, find) : find());
    const login = counted ?? (await this.begin(email, account, from));
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

  /** Looks the same things up whether or not there is such an account. */
  private async begin(email: string, account: LoginAccount | null, from: LoginOrigin): Promise<LoginTry> {
    const { address, clientId, userId } = from;
    if (userId !== undefined) return this.limiter.beginOfOwner({ userId });
    if (clientId !== undefined && (await this.clients.isKnown(clientId, account?.userId ?? null))) {
      return this.limiter.beginOfOwner({ clientId });
    }
    return this.limiter.begin(email, address);
  }
}
