import { Injectable } from '@nestjs/common';
import { randomInt } from 'node:crypto';
import { CrossSiteRefusedError } from '../../common/auth/auth.errors.js';
import { Clock } from '../../common/clock.js';
import { ServerConfig } from '../../common/config/server.config.js';
import { type Tx, Transactions } from '../../common/database/transactions.js';
import { Secrets } from '../../common/secrets/secrets.js';
import { AccountLinksService } from '../user/account-links.service.js';
import { type LinkFault, type OpenLink } from '../user/account-links.types.js';
import { type ValidateClientParams } from './dto/login.params.js';
import { LoginCodeExpiredError, NoLoginAwaitsCodeError } from './session.errors.js';
import { SessionService } from './session.service.js';
import { type LoginClient } from './session.types.js';

const PURPOSE = 'login_code';
export const CODE_VALID_SECONDS = 600;

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
