import { Injectable } from '@nestjs/common';
import { addressKey } from '../../common/http/client-address.js';
import { type CountedTry, RateLimits } from '../../common/http/rate-limits.js';
import { Secrets } from '../../common/secrets/secrets.js';
import { CODE_ACCOUNT, FORGOT_ACCOUNT, LOGIN_ACCOUNT, LOGIN_ADDRESS } from './session-limits.types.js';

/** A try that counts as failed until it is taken back. */
export interface LoginTry {
  account: CountedTry;
  address: CountedTry;
}

/**
 * Limits failed logins and codes per account and per address. A try is counted before the password is looked at, so that
 * many at once cannot slip through together; `forgive` takes back what turned out right.
 */
@Injectable()
export class LoginLimiter {
  constructor(
    private readonly limits: RateLimits,
    private readonly secrets: Secrets,
  ) {}

  /** @throws RateLimitedError */
  async begin(email: string, address: string | undefined): Promise<LoginTry> {
    const ofAddress = await this.limits.begin(LOGIN_ADDRESS, addressKey(address));
    try {
      return { account: await this.limits.begin(LOGIN_ACCOUNT, this.accountKey(email)), address: ofAddress };
    } catch (error) {
      await this.limits.takeBack(ofAddress);
      throw error;
    }
  }

  async forgive({ account, address }: LoginTry): Promise<void> {
    await Promise.all([this.limits.takeBack(account), this.limits.takeBack(address)]);
  }

  /** Takes the try back when the check itself fails, as when the service is too busy: that is not a failed login. */
  async unlessBroken<T>(login: LoginTry, check: () => Promise<T>): Promise<T> {
    try {
      return await check();
    } catch (error) {
      await this.forgive(login);
      throw error;
    }
  }

  /** Resets the count once the owner of the account has been verified. */
  async forgetFailures(email: string): Promise<void> {
    await this.limits.forget(LOGIN_ACCOUNT, this.accountKey(email));
  }

  /** Counts a mail with a login code. @throws RateLimitedError */
  async countCode(email: string): Promise<void> {
    await this.limits.consume(CODE_ACCOUNT, this.accountKey(email));
  }

  /** Counts a mail with a reset link that is asked for. @throws RateLimitedError */
  async countForgotten(email: string): Promise<void> {
    await this.limits.consume(FORGOT_ACCOUNT, this.accountKey(email));
  }

  /** The tables shall not list who tried to log in. */
  private accountKey(email: string): string {
    return this.secrets.keyedHash('login account', email.toLowerCase()).toString('base64url');
  }
}
