import { Injectable, type BeforeApplicationShutdown, Logger } from '@nestjs/common';
import { messageOf } from '../../common/errors/message-of.js';
import { addressKey } from '../../common/http/client-address.js';
import { type CountedTry, rateLimit, RateLimits } from '../../common/http/rate-limits.js';
import { Secrets } from '../../common/secrets/secrets.js';
import { HOUR } from '../../common/time.js';
import { AuditTrailService } from '../../platform/audit/audit-trail.service.js';
import { SYSTEM_ACTOR } from '../../platform/audit/audit.types.js';
import { UserService } from '../user/user.service.js';
import { SessionConfig } from './session.config.js';

/** Runs work that an answer must not wait for, because its duration would reveal whether the account exists. */
@Injectable()
export class AfterAnswerService implements BeforeApplicationShutdown {
  private readonly logger = new Logger(AfterAnswerService.name);
  private readonly running = new Set<Promise<void>>();

  /** @param failure log message if the work fails; contains no personal data */
  schedule(failure: string, work: () => Promise<void>): void {
    const task = new Promise<void>((begin) => setImmediate(begin))
      .then(work)
      .catch((error: unknown) => this.logger.warn(`${failure}: ${messageOf(error)}`))
      .finally(() => this.running.delete(task));
    this.running.add(task);
  }

  /** Resolves when no work is left. */
  async settled(): Promise<void> {
    while (this.running.size > 0) await Promise.all(this.running);
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.settled();
  }
}

const QUARTER_HOUR = 900;

/** Failed logins and codes of one account, by unknown clients. */
export const LOGIN_ACCOUNT = rateLimit({
  name: 'loginAccount',
  config: SessionConfig,
  points: (config) => config.loginAccount,
  windowSeconds: QUARTER_HOUR,
});

/**
 * Failed logins from one known client, and wrong passwords from one user who is logged in. Counted apart from
 * strangers: a client that has proven to be the owner of the account is not delayed by others who guess.
 */
const LOGIN_OWNER = rateLimit({
  name: 'loginOwner',
  config: SessionConfig,
  points: (config) => config.loginAccount,
  windowSeconds: QUARTER_HOUR,
});

/** Failed logins and codes from one address, by unknown clients. */
const LOGIN_ADDRESS = rateLimit({
  name: 'loginAddress',
  config: SessionConfig,
  points: (config) => config.loginAddress,
  windowSeconds: QUARTER_HOUR,
  byAddress: true,
});

/** Mails with a login code, per account. */
const CODE_ACCOUNT = rateLimit({
  name: 'codeAccount',
  config: SessionConfig,
  points: (config) => config.codeAccount,
  windowSeconds: QUARTER_HOUR,
});

/** Mails with a reset link, per account. */
const FORGOT_ACCOUNT = rateLimit({
  name: 'forgotAccount',
  config: SessionConfig,
  points: (config) => config.forgotAccount,
  windowSeconds: HOUR,
});

/** An attempt that counts as failed until it is undone. */
export interface LoginTry {
  account: CountedTry;
  /** Null for an owner: the address may be shared with strangers. */
  address: CountedTry | null;
}

/** A proven relation to the account: a known client, or a user who is logged in. */
export type LoginOwner = { clientId: string } | { userId: number };

/**
 * Limits failed logins and codes per account and per address. An attempt is counted before the password is checked, so
 * that many concurrent ones cannot pass together; `forgive` undoes the count of a correct one. Owners have separate
 * counts, so that strangers who guess passwords delay only strangers. A temporary lock of an account is recorded in the
 * audit log.
 */
@Injectable()
export class LoginLimiter {
  constructor(
    private readonly limits: RateLimits,
    private readonly secrets: Secrets,
    private readonly users: UserService,
    private readonly audit: AuditTrailService,
    private readonly after: AfterAnswerService,
  ) {}

  /** Counts an attempt of an owner. @throws RateLimitedError */
  async beginOfOwner(owner: LoginOwner): Promise<LoginTry> {
    return { account: await this.limits.begin(LOGIN_OWNER, this.ownerKey(owner)), address: null };
  }

  /** Counts an attempt of a stranger. @throws RateLimitedError */
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
    await Promise.all(
      [account, ...(address === null ? [] : [address])].map((counted) => this.limits.takeBack(counted)),
    );
  }

  /** Call it for every failed attempt; `account` is null if the account does not exist. */
  noteFailure({ account: counted }: LoginTry, account: { orgId: number; userId: number } | null): void {
    if (counted.remaining > 0 || account === null) return;
    const { orgId, userId } = account;
    this.after.schedule('The lock of an account could not be recorded in the audit log', async () => {
      const { email, name } = await this.users.getById(orgId, userId);
      const object = { type: 'user', id: String(userId), name: email ?? name };
      await this.audit.record({ orgId, actor: SYSTEM_ACTOR, action: 'login.locked', object });
    });
  }

  /**
   * Undoes the count of the attempt if the check itself fails, for example because the service is too busy: that is not
   * a failed login.
   */
  async unlessBroken<T>(login: LoginTry, check: () => Promise<T>): Promise<T> {
    try {
      return await check();
    } catch (error) {
      await this.forgive(login);
      throw error;
    }
  }

  /** Resets the count once the owner of the account has been verified. */
  async forgetFailures(email: string, userId: number): Promise<void> {
    await this.limits.forget(LOGIN_ACCOUNT, this.accountKey(email));
    await this.limits.forget(LOGIN_OWNER, this.ownerKey({ userId }));
  }

  /** Counts a mail with a login code. @throws RateLimitedError */
  async countCode(email: string): Promise<void> {
    await this.limits.consume(CODE_ACCOUNT, this.accountKey(email));
  }

  /** Counts a requested mail with a reset link. @throws RateLimitedError */
  async countForgotten(email: string): Promise<void> {
    await this.limits.consume(FORGOT_ACCOUNT, this.accountKey(email));
  }

  /** The tables must not contain client ids. */
  private ownerKey(owner: LoginOwner): string {
    if ('userId' in owner) return `user:${String(owner.userId)}`;
    return this.secrets.keyedHash('login client', owner.clientId).toString('base64url');
  }

  /** The tables must not contain the addresses of login attempts. */
  private accountKey(email: string): string {
    return this.secrets.keyedHash('login account', email.toLowerCase()).toString('base64url');
  }
}
