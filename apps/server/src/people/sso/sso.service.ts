import { Injectable } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import { Clock } from '../../common/clock.js';
import { ServerConfig } from '../../common/config/server.config.js';
import { Transactions } from '../../common/database/transactions.js';
import { Links } from '../../common/http/links.js';
import { Secrets } from '../../common/secrets/secrets.js';
import { EventRecorder } from '../../platform/event/event-recorder.service.js';
import { SessionEntry } from '../session/session-entry.service.js';
import { type LoginClient } from '../session/session.types.js';
import { type LoginMethodsDto, type SsoSessionDto } from './dto/sso-answers.dto.js';
import { OidcProvider } from './oidc-provider.service.js';
import { SsoAccounts } from './sso-accounts.service.js';
import { SsoConfig } from './sso.config.js';
import { SsoRepository } from './sso.repository.js';
import { type SsoArrival, type SsoAttempt } from './sso.types.js';

/** How long somebody may stay at the provider. */
export const SSO_LOGIN_SECONDS = 600;
/** Purpose of the sealed attempts of `sso_login`. */
const PURPOSE = 'sso';

/** Logins by the OpenID Connect provider, from the first redirect to the session. */
@Injectable()
export class SingleSignOn {
  constructor(
    private readonly provider: OidcProvider,
    private readonly accounts: SsoAccounts,
    private readonly logins: SsoRepository,
    private readonly sessions: SessionEntry,
    private readonly events: EventRecorder,
    private readonly transactions: Transactions,
    private readonly secrets: Secrets,
    private readonly links: Links,
    private readonly clock: Clock,
    private readonly config: SsoConfig,
    private readonly server: ServerConfig,
  ) {}

  methods(): LoginMethodsDto {
    const sso = this.config.isConfigured ? { label: this.config.label, url: this.links.api('/login/sso') } : null;
    return { password: true, sso };
  }

  /**
   * Begins a login; answers the address of the provider.
   * @param browser secret that only this browser has
   * @throws SsoNotConfiguredError, SsoProviderError
   */
  async begin(browser: string, returnTo: string): Promise<string> {
    const state = randomBytes(32).toString('base64url');
    const { attempt, url } = await this.provider.begin(state, this.withinConsole(returnTo));
    const stateHash = this.hash(state);
    await this.logins.insertLogin({
      stateHash,
      browserHash: this.hash(browser),
      sealed: this.secrets.seal(PURPOSE, boundTo(stateHash), JSON.stringify(attempt)),
      expiresAt: this.clock.now() + SSO_LOGIN_SECONDS,
    });
    return url;
  }

  /**
   * Who comes back from the provider. A login can be asked for once, by the browser that began it.
   * @param query what the browser came back with, as it was sent
   * @returns null when there is no such login, or it is over
   * @throws SsoRefusedError, SsoProviderError, SsoNotConfiguredError
   */
  async identify(query: string, state: string, browser: string | undefined): Promise<SsoArrival | null> {
    const hashes = (secret: string) => this.secrets.keyedHashes(PURPOSE, secret);
    const login =
      browser === undefined ? null : await this.logins.takeLogin(hashes(state), hashes(browser), this.clock.now());
    if (login === null) return null;
    const { stateHash, sealed } = login;
    const attempt = JSON.parse(this.secrets.open(PURPOSE, boundTo(stateHash), sealed)) as SsoAttempt;
    return { person: await this.provider.finish(query, state, attempt), returnTo: attempt.returnTo };
  }

  /**
   * Lets somebody in: the client has a session afterwards.
   * @throws SsoRefusedError
   */
  async enter({ person, returnTo }: SsoArrival, client: LoginClient): Promise<SsoSessionDto> {
    const { admitted, prepared } = await this.transactions.run(async (tx) => {
      const admitted = await this.accounts.admit(person, tx);
      return { admitted, prepared: await this.sessions.prepare(client, admitted.orgId, admitted.userId, tx) };
    });
    for (const event of admitted.events) this.events.record(event);
    const session = await this.sessions.complete(client, prepared);
    return {
      session,
      client_id: prepared.clientId,
      return_to: this.links.console(returnTo),
      message: 'OK',
    };
  }

  /** A path of the console; everything else is its first page. */
  private withinConsole(path: string): string {
    const { publicUrl, consoleOrigin } = this.server;
    // Backslashes are slashes to browsers.
    if (!path.startsWith('/') || /^\/[/\\]/.test(path) || !URL.canParse(publicUrl + path)) return '/';
    const url = new URL(publicUrl + path);
    return url.origin === consoleOrigin ? path : '/';
  }

  private hash(secret: string): Buffer {
    return this.secrets.keyedHash(PURPOSE, secret);
  }
}

const boundTo = (stateHash: Buffer): string => `sso_login/${stateHash.toString('hex')}`;
