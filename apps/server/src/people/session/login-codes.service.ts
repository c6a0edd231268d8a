import { Injectable } from '@nestjs/common';
import { randomInt } from 'node:crypto';
import { CrossSiteRefusedError } from '../../common/auth/auth.errors.js';
import { Clock } from '../../common/clock.js';
import { ServerConfig } from '../../common/config/server.config.js';
import { Transactions } from '../../common/database/transactions.js';
import { Secrets } from '../../common/secrets/secrets.js';
import { Mailer } from '../../platform/mail/mailer.service.js';
import { AccountLinks } from '../user/account-links.service.js';
import { UserService } from '../user/user.service.js';
import { PLACEHOLDER_EMAIL, type User } from '../user/user.types.js';
import { type ValidateClientParams } from './dto/login.params.js';
import { type LoginDto, type ValidatedLoginDto } from './dto/session-answers.dto.js';
import { KnownClientsService } from './known-clients.service.js';
import { LoginLimiter } from './login-limiter.js';
import { LoginLocks } from './login-locks.service.js';
import { LoginMails } from './login-mails.service.js';
import { SessionConfig } from './session.config.js';
import {
  LoginCodeExpiredError,
  LoginCodeUnavailableError,
  LoginCodeWrongError,
  NoLoginAwaitsCodeError,
} from './session.errors.js';
import { SessionEntry } from './session-entry.service.js';
import { SessionService } from './session.service.js';
import { type LoginClient } from './session.types.js';

const PURPOSE = 'login_code';
export const CODE_VALID_SECONDS = 600;

/** Codes sent by e-mail that finish the login of a client that is not known yet. */
@Injectable()
export class LoginCodes {
  constructor(
    private readonly users: UserService,
    private readonly clients: KnownClientsService,
    private readonly sessions: SessionService,
    private readonly links: AccountLinks,
    private readonly limiter: LoginLimiter,
    private readonly locks: LoginLocks,
    private readonly entry: SessionEntry,
    private readonly mails: LoginMails,
    private readonly mailer: Mailer,
    private readonly transactions: Transactions,
    private readonly clock: Clock,
    private readonly config: SessionConfig,
    private readonly server: ServerConfig,
    private readonly secrets: Secrets,
  ) {}

  async isNeeded(orgId: number, userId: number, client: LoginClient): Promise<boolean> {
    const { loginCode } = this.config;
    const isOn = loginCode === 'on' || (loginCode === 'auto' && this.mailer.isConfigured);
    if (!isOn || (await this.clients.isKnown(client.clientId, userId))) return false;
    if (loginCode === 'on') return true;
    // An operator who sets up mail before naming an administrator would be locked out permanently.
    return (await this.users.getById(orgId, userId)).email !== PLACEHOLDER_EMAIL;
  }

  /**
   * Mails a code and hands the client a session that awaits it. Older codes of the user are over.
   * @throws RateLimitedError, LoginCodeUnavailableError, MailUnavailableError
   */
  async send(orgId: number, userId: number, client: LoginClient): Promise<LoginDto> {
    if (!this.mailer.isConfigured) throw new LoginCodeUnavailableError();
    const user = await this.users.getById(orgId, userId);
    const email = user.email ?? '';
    await this.limiter.countCode(email);
    const code = String(randomInt(1_000_000)).padStart(6, '0');
    const expiresAt = this.clock.now() + CODE_VALID_SECONDS;
    const { pending, token } = await this.transactions.run(async (tx) => ({
      pending: await this.sessions.beginPending(userId, CODE_VALID_SECONDS, tx),
      token: await this.links.create(
        {
          userId,
          purpose: PURPOSE,
          validSeconds: CODE_VALID_SECONDS,
          form: 'url43',
          payload: this.stored(userId, code)[0],
        },
        tx,
      ),
    }));
    try {
      await this.mails.sendCode(orgId, user, { code, token, address: client.address });
    } catch (error) {
      await this.sessions.endPendingOf(userId);
      await this.links.revokeAllOf(userId, PURPOSE);
      throw error;
    }
    if (client.sessionId !== undefined) await this.sessions.end(client.sessionId);
    client.awaitCode(pending.id, CODE_VALID_SECONDS);
    return {
      validation_required: true,
      session: null,
      client_id: null,
      validation: { expires_timestamp: Math.floor(expiresAt), sent_to: maskedAddress(email) },
      message: 'OK',
    };
  }

  /** @throws RateLimitedError, LoginCodeWrongError, LoginCodeExpiredError, NoLoginAwaitsCodeError */
  async validate({ code, token }: ValidateClientParams, client: LoginClient): Promise<ValidatedLoginDto> {
    const userId = token === undefined ? await this.awaitedBy(client) : await this.links.holderOf(PURPOSE, token);
    const account = userId === null ? null : await this.accountOf(userId);
    if (account?.state !== 'active') throw new LoginCodeExpiredError();
    const { id, orgId } = account;
    const login = await this.limiter.begin(account.email ?? '', client.address);
    const link = await this.links.tryCode(
      PURPOSE,
      token === undefined ? { userId: id } : { token },
      this.stored(id, code),
    );
    if (link === 'wrong') {
      this.locks.noteFailure(login.account, { orgId, userId: id });
      throw new LoginCodeWrongError();
    }
    await this.limiter.forgive(login);
    if (typeof link === 'string') throw new LoginCodeExpiredError();
    const prepared = await this.transactions.run(async (tx) => {
      if (!(await this.links.use(PURPOSE, link, tx))) throw new LoginCodeExpiredError();
      await this.sessions.endPendingOf(id, tx);
      return this.entry.prepare(client, orgId, id, tx);
    });
    const session = await this.entry.complete(client, prepared);
    return { session, client_id: prepared.clientId, message: 'OK' };
  }

  /** The user whose login the client has prepared. */
  private async awaitedBy(client: LoginClient): Promise<number> {
    const found = client.presentedId === undefined ? 'unknown' : await this.sessions.findPending(client.presentedId);
    if (found === 'unknown') throw new NoLoginAwaitsCodeError();
    if (found === 'ended') throw new LoginCodeExpiredError();
    if (!client.mayUsePresented(this.server)) throw new CrossSiteRefusedError();
    return found;
  }

  /** A code as it is kept: a hash that cannot be computed without the key. The one for new codes first. */
  private stored(userId: number, code: string): [string, ...string[]] {
    const [current, ...previous] = this.secrets.keyedHashes('login code', `${String(userId)}/${code}`);
    return [current.toString('base64url'), ...previous.map((hash) => hash.toString('base64url'))];
  }

  private async accountOf(userId: number): Promise<(User & { orgId: number }) | null> {
    const orgId = await this.users.orgOf(userId);
    return orgId === null ? null : { ...(await this.users.getById(orgId, userId)), orgId };
  }
}

/** `a**@example.org` */
export function maskedAddress(email: string): string {
  const at = email.lastIndexOf('@');
  return `${/^./u.exec(email)?.[0] ?? ''}**${at < 0 ? '' : email.slice(at)}`;
}
