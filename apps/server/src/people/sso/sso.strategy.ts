import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import { type Request } from 'express';
import { CredentialStrategy, type Validation } from '../../common/auth/strategies/credential.strategy.js';
import { browserSecret } from './sso-browser.js';
import { SingleSignOnService } from './sso.service.js';
import { type SsoArrival } from './sso.types.js';

/**
 * The callback of single sign-on: finds the person by the answer of the provider. The strategy that openid-client ships
 * does not fit: it keeps one attempt per browser in a session of the web server and sends no state. Here attempts are
 * sealed in the database, and logins in several tabs do not disturb each other. The first leg has no strategy, because
 * the redirect of passport would bypass the interceptors.
 */
@Injectable()
export class SsoStrategy extends PassportStrategy(CredentialStrategy) {
  constructor(private readonly sso: SingleSignOnService) {
    super('sso');
  }

  /**
   * Fails when there is no such login, or it is over.
   * @param options the parameter `state`, checked
   * @throws SsoRefusedError, SsoProviderError, SsoNotConfiguredError
   */
  override async validate(request: Request, { state }: { state: string }): Promise<Validation<SsoArrival>> {
    const query = new URL(request.originalUrl, 'http://localhost').search.slice(1);
    const arrival = await this.sso.identify(query, state, browserSecret(request));
    return arrival === null ? [false] : [arrival, undefined];
  }
}
