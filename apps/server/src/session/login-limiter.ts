import { Injectable } from '@nestjs/common';
import { type RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import { RATE_LIMIT_SECONDS, RateLimitConfig } from '../common/http/rate-limit.config.js';
import { addressKey, RateLimitedError } from '../common/http/rate-limits.js';
import { Secrets } from '../common/secrets/secrets.js';
import { LoginFailuresRepository } from './login-failures.repository.js';

/** A try that counts as failed until it is taken back. */
export interface LoginTry {
  account: string;
  address: string;
}

/**
 * Limits failed logins per account and per address. A try is counted before the password is looked at, so that many at
 * once cannot slip through together; `forgive` takes back what turned out right.
 */
@Injectable()
export class LoginLimiter {
  private readonly accounts: RateLimiterPostgres;
  private readonly addresses: RateLimiterPostgres;

  constructor(
    failures: LoginFailuresRepository,
    private readonly secrets: Secrets,
    private readonly config: RateLimitConfig,
  ) {
    const limiter = (name: 'loginAccount' | 'loginAddress') =>
      failures.limiter({ name, points: config[name], windowSeconds: RATE_LIMIT_SECONDS[name] });
    this.accounts = limiter('loginAccount');
    this.addresses = limiter('loginAddress');
  }

  /** @throws RateLimitedError */
  async begin(email: string, address: string | undefined): Promise<LoginTry> {
    const login: LoginTry = {
      // The table shall not list who tried to log in.
      account: this.secrets.keyedHash('login account', email.toLowerCase()).toString('base64url'),
      address: addressKey(address),
    };
    await this.consume(this.addresses, login.address, this.config.loginAddress);
    try {
      await this.consume(this.accounts, login.account, this.config.loginAccount);
    } catch (error) {
      await this.addresses.reward(login.address);
      throw error;
    }
    return login;
  }

  async forgive({ account, address }: LoginTry): Promise<void> {
    await Promise.all([this.accounts.reward(account), this.addresses.reward(address)]);
  }

  private async consume(limiter: RateLimiterPostgres, key: string, limit: number): Promise<void> {
    try {
      await limiter.consume(key);
    } catch (error) {
      // The library rejects with the counter itself; anything else is a failure of the database.
      if (!(error instanceof RateLimiterRes)) throw error;
      await limiter.reward(key);
      const resetSeconds = Math.max(1, Math.ceil(error.msBeforeNext / 1000));
      throw new RateLimitedError({ limit, remaining: 0, resetSeconds });
    }
  }
}
