import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import { type Request } from 'express';
import { randomBytes } from 'node:crypto';
import { CredentialStrategy, type Validation } from '../../common/auth/strategies/credential.strategy.js';
import { type AnswerHead, readCookie } from '../../common/http/answer.js';
import { SSO_LOGIN_SECONDS } from './sso-attempts.service.js';
import { SingleSignOnService } from './single-sign-on.service.js';
import { type SsoArrival } from './sso.types.js';

const COOKIE = 'sso_browser';
const FORM = /^[\w-]{43}$/;

/**
 * The callback of single sign-on: identifies the person by the answer of the provider. The strategy that openid-client
 * ships does not fit: it stores one attempt per browser in a session of the web server and sends no state. Here
 * attempts are sealed in the database, and logins in several tabs do not disturb each other. The first leg has no
 * strategy, because the redirect of passport would bypass the interceptors.
 */
@Injectable()
export class SsoStrategy extends PassportStrategy(CredentialStrategy) {
  constructor(private readonly sso: SingleSignOnService) {
    super('sso');
  }

  /**
   * Fails if there is no such login, or it has expired.
   * @param options the validated parameter `state`
   * @throws SsoRefusedError, SsoProviderError, SsoNotConfiguredError
   */
  override async validate(request: Request, { state }: { state: string }): Promise<Validation<SsoArrival>> {
    const query = new URL(request.originalUrl, 'http://localhost').search.slice(1);
    const arrival = await this.sso.identify(query, state, browserSecret(request));
    return arrival === null ? [false] : [arrival, undefined];
  }
}

/** The secret of a browser with a pending login; undefined if it has none. */
function browserSecret(request: Request): string | undefined {
  const value = readCookie(request, COOKIE);
  return value !== undefined && FORM.test(value) ? value : undefined;
}

/** Sets a secret cookie for the time of a login. A browser that has one keeps it: other tabs may be logging in too. */
export function keepBrowserSecret(request: Request, head: AnswerHead): string {
  const secret = browserSecret(request) ?? randomBytes(32).toString('base64url');
  head.setBrowserCookie(COOKIE, secret, SSO_LOGIN_SECONDS);
  return secret;
}
