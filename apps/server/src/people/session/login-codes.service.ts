import { Injectable } from '@nestjs/common';
import { randomInt } from 'node:crypto';
import { CrossSiteRefusedError } from '../../common/auth/auth.errors.js';
import { Clock } from '../../common/clock.js';
import { ServerConfig } from '../../common/config/server.config.js';
import { type Tx, Transactions } from '../../common/database/transactions.js';
import { Secrets } from '../../common/secrets/secrets.js';
import { AccountLinksService } from '../user/account-links.service.js';
import { type LinkFault, type OpenLink } from '../user/account-links.types.js';
import { UserService } from '../user/user.service.js';
import { type User } from '../user/user.types.js';
import { type ValidateClientParams } from './dto/login.params.js';
import { type LoginDto, type ValidatedLoginDto } from './dto/session-answers.dto.js';
import { LoginLimiter } from './login-limiter.js';
import { LoginMailsService } from './login-mails.service.js';
import { SessionEntryService } from './session-entry.service.js';
import { SessionConfig } from './session.config.js';
import {
  LoginCodeExpiredError,
  LoginCodeUnavailableError,
  LoginCodeWrongError,
  NoLoginAwaitsCodeError,
} from './session.errors.js';
import { SessionService } from './session.service.js';
import { type LoginClient } from './session.types.js';

const PURPOSE = 'login_code';
const CODE_VALID_SECONDS = 600;

/** A login that awaits its code. Session id, code and token are stored only as hashes. */
interface PendingLogin {
  sessionId: string;
  /** Six digits. */
  code: string;
  /** Token of the link that represents the session in another client. */
  token: string;
  /** Expiry of the code, in Unix seconds. */
  expiresAt: number;
}

/** Logins that await their code: each is a session without access and a link with the hash of the code. */
@Injectable()
export class PendingLoginsService {
  constructor(
    private readonly sessions: SessionService,
    private readonly links: AccountLinksService,
    private readonly transactions: Transactions,
    private readonly clock: Clock,
    private readonly server: ServerConfig,
    private readonly secrets: Secrets,
  ) {}

  /** Older pending logins and codes of the user end. */
  async begin(userId: number): Promise<PendingLogin> {
    const code = String(randomInt(1_000_000)).padStart(6, '0');
    const expiresAt = this.clock.now() + CODE_VALID_SECONDS;
    return this.transactions.run(async (tx) => {
      const { id } = await this.sessions.beginPending(userId, CODE_VALID_SECONDS, tx);
      const token = await this.links.create(
        {
          userId,
          purpose: PURPOSE,
          validSeconds: CODE_VALID_SECONDS,
          form: 'url43',
          payload: this.stored(userId, code)[0],
        },
        tx,
      );
      return { sessionId: id, code, token, expiresAt };
    });
  }

  /** Hands the client the session of its pending login; the session that it has ends. */
  async handTo(client: LoginClient, sessionId: string): Promise<void> {
    if (client.sessionId !== undefined) await this.sessions.end(client.sessionId);
    client.awaitCode(sessionId, CODE_VALID_SECONDS);
  }

  /** Withdraws a login whose code could not be sent. */
  async withdraw(userId: number): Promise<void> {
    await this.sessions.endPendingOf(userId);
    await this.links.revokeAllOf(userId, PURPOSE);
  }

  /**
   * The user of a pending login: by the token if there is one, otherwise by the session that the client presents.
   * @returns null for an unknown token
   * @throws NoLoginAwaitsCodeError, LoginCodeExpiredError, CrossSiteRefusedError
   */
  async findUser(token: string | undefined, client: LoginClient): Promise<number | null> {
    return token === undefined ? this.awaitedBy(client) : this.links.holderOf(PURPOSE, token);
  }

  /**
   * Compares a code with the one that was sent. Every attempt counts; the right code is not consumed: `use` does that.
   */
  tryCode(userId: number, { code, token }: ValidateClientParams): Promise<OpenLink | 'wrong' | LinkFault> {
    return this.links.tryCode(PURPOSE, token === undefined ? { userId } : { token }, this.stored(userId, code));
  }

  /** Consumes the code and ends the pending login. @throws LoginCodeExpiredError if another request was faster */
  async use(link: OpenLink, tx: Tx): Promise<void> {
    if (!(await this.links.use(PURPOSE, link, tx))) throw new LoginCodeExpiredError();
    await this.sessions.endPendingOf(link.userId, tx);
  }

  /** The user of the login that the client has started. */
  private async awaitedBy(client: LoginClient): Promise<number> {
    const found = client.presentedId === undefined ? 'unknown' : await this.sessions.findPending(client.presentedId);
    if (found === 'unknown') throw new NoLoginAwaitsCodeError();
    if (found === 'ended') throw new LoginCodeExpiredError();
    if (!client.mayUsePresented(this.server)) throw new CrossSiteRefusedError();
    return found;
  }

  /** The stored form of a code: a hash that cannot be computed without the key. The form for new codes comes first. */
  private stored(userId: number, code: string): [string, ...string[]] {
    const [current, ...previous] = this.secrets.keyedHashes('login code', `${String(userId)}/${code}`);
    return [current.toString('base64url'), ...previous.map((hash) => hash.toString('base64url'))];
  }
}

/** Mails the code that a client needs if it is not known yet, and finishes the login with it. */
@Injectable()
export class LoginCodesService {
  constructor(
    private readonly users: UserService,
    private readonly pending: PendingLoginsService,
    private readonly limiter: LoginLimiter,
    private readonly mails: LoginMailsService,
    private readonly entry: SessionEntryService,
    private readonly transactions: Transactions,
    private readonly config: SessionConfig,
  ) {}

  /**
   * Defines whether unknown clients must enter a code: the setting LOGIN_CODE, except that `auto` is `off` if no mail
   * can be sent.
   */
  get demand(): SessionConfig['loginCode'] {
    const { loginCode } = this.config;
    return loginCode === 'auto' && !this.mails.isConfigured ? 'off' : loginCode;
  }

  /**
   * Mails a code and sends the client a session that awaits it. Older codes of the user become invalid.
   * @throws RateLimitedError, LoginCodeUnavailableError, MailUnavailableError
   */
  async send(orgId: number, userId: number, client: LoginClient): Promise<LoginDto> {
    if (!this.mails.isConfigured) throw new LoginCodeUnavailableError();
    const user = await this.users.getById(orgId, userId);
    const email = user.email ?? '';
    await this.limiter.countCode(email);
    const { sessionId, code, token, expiresAt } = await this.pending.begin(userId);
    try {
      await this.mails.sendCode(orgId, user, { code, token, address: client.address });
    } catch (error) {
      await this.pending.withdraw(userId);
      throw error;
    }
    await this.pending.handTo(client, sessionId);
    return {
      validation_required: true,
      session: null,
      client_id: null,
      validation: { expires_timestamp: Math.floor(expiresAt), sent_to: maskedAddress(email) },
      message: 'OK',
    };
  }

  /**
   * Finishes a login with its code.
   * @throws RateLimitedError, LoginCodeWrongError, LoginCodeExpiredError, NoLoginAwaitsCodeError, CrossSiteRefusedError
   */
  async validate(params: ValidateClientParams, client: LoginClient): Promise<ValidatedLoginDto> {
    const userId = await this.pending.findUser(params.token, client);
    const account = userId === null ? null : await this.accountOf(userId);
    if (account?.state !== 'active') throw new LoginCodeExpiredError();
    const { id, orgId } = account;
    const login = await this.limiter.begin(account.email ?? '', client.address);
    const link = await this.pending.tryCode(id, params);
    if (link === 'wrong') {
      this.limiter.noteFailure(login, { orgId, userId: id });
      throw new LoginCodeWrongError();
    }
    await this.limiter.forgive(login);
    if (typeof link === 'string') throw new LoginCodeExpiredError();
    const prepared = await this.transactions.run(async (tx) => {
      await this.pending.use(link, tx);
      return this.entry.prepareLogin(client, orgId, id, 'login.code', tx);
    });
    const session = await this.entry.complete(client, prepared);
    return { session, client_id: prepared.clientId, message: 'OK' };
  }

  private async accountOf(userId: number): Promise<(User & { orgId: number }) | null> {
    const orgId = await this.users.orgOf(userId);
    return orgId === null ? null : { ...(await this.users.getById(orgId, userId)), orgId };
  }
}

/** `a**@example.org` */
function maskedAddress(email: string): string {
  const at = email.lastIndexOf('@');
  return `${/^./u.exec(email)?.[0] ?? ''}**${at < 0 ? '' : email.slice(at)}`;
}
