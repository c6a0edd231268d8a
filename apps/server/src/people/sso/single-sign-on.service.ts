import { Injectable } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import { ServerConfig } from '../../common/config/server.config.js';
import { OidcProviderService } from './oidc-provider.service.js';
import { SsoAttemptsService } from './sso-attempts.service.js';
import { type SsoArrival } from './sso.types.js';

/** Logins through the OpenID Connect provider, from the first redirect until the returning person is identified. */
@Injectable()
export class SingleSignOnService {
  constructor(
    private readonly provider: OidcProviderService,
    private readonly attempts: SsoAttemptsService,
    private readonly server: ServerConfig,
  ) {}

  /**
   * Starts a login; returns the address of the provider.
   * @param browser secret that only this browser has
   * @throws SsoNotConfiguredError, SsoProviderError
   */
  async begin(browser: string, returnTo: string): Promise<string> {
    const state = randomBytes(32).toString('base64url');
    const { attempt, url } = await this.provider.begin(state, this.withinConsole(returnTo));
    await this.attempts.create(state, browser, attempt);
    return url;
  }

  /**
   * Identifies a person who returns from the provider. A login can be used once, by the browser that started it.
   * @param query the query of the redirect, as it was sent
   * @returns null if there is no such login, or it has expired
   * @throws SsoRefusedError, SsoProviderError, SsoNotConfiguredError
   */
  async identify(query: string, state: string, browser: string | undefined): Promise<SsoArrival | null> {
    const attempt = browser === undefined ? null : await this.attempts.take(state, browser);
    if (attempt === null) return null;
    return { person: await this.provider.finish(query, state, attempt), returnTo: attempt.returnTo };
  }

  /** A path of the console; anything else leads to its first page. */
  private withinConsole(path: string): string {
    const { publicUrl, consoleOrigin } = this.server;
    // Browsers treat backslashes as slashes.
    if (!path.startsWith('/') || /^\/[/\\]/.test(path) || !URL.canParse(publicUrl + path)) return '/';
    const url = new URL(publicUrl + path);
    return url.origin === consoleOrigin ? path : '/';
  }
}
