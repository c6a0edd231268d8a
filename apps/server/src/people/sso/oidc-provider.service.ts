import { Injectable, Logger } from '@nestjs/common';
import * as oidc from 'openid-client';
import { Clock } from '../../common/clock.js';
import { messageOf } from '../../common/errors/message-of.js';
import { Links } from '../../common/http/links.js';
import { HOUR } from '../../common/time.js';
import { SsoConfig } from './sso.config.js';
import { SsoNotConfiguredError, SsoProviderError, SsoRefusedError } from './sso.errors.js';
import { claimAt, type Claims, personOf } from './sso-person.js';
import { type SsoAttempt, type SsoPerson } from './sso.types.js';

const TIMEOUT_SECONDS = 10;
/** Addresses and capabilities of providers change rarely; the library fetches keys when a new one appears. */
const DESCRIPTION_KEPT_SECONDS = HOUR;
const CALLBACK = '/login/sso/callback';

/** The configured OpenID Connect provider: authorization code flow with PKCE, state and nonce. */
@Injectable()
export class OidcProviderService {
  private readonly logger = new Logger(OidcProviderService.name);
  private description: { configuration: Promise<oidc.Configuration>; readAt: number } | undefined;

  constructor(
    private readonly config: SsoConfig,
    private readonly links: Links,
    private readonly clock: Clock,
  ) {}

  /**
   * Creates a new attempt. Returns it with the address that the browser has to open.
   * @throws SsoNotConfiguredError, SsoProviderError
   */
  async begin(state: string, returnTo: string): Promise<{ attempt: SsoAttempt; url: string }> {
    const configuration = await this.describe();
    const attempt = { nonce: oidc.randomNonce(), codeVerifier: oidc.randomPKCECodeVerifier(), returnTo };
    const url = oidc.buildAuthorizationUrl(configuration, {
      redirect_uri: this.links.api(CALLBACK),
      response_type: 'code',
      scope: this.config.scopes.join(' '),
      state,
      nonce: attempt.nonce,
      code_challenge: await oidc.calculatePKCECodeChallenge(attempt.codeVerifier),
      code_challenge_method: 'S256',
    });
    return { attempt, url: url.href };
  }

  /**
   * Identifies the person who returned from the provider. Checks the whole answer: state, issuer, signature, audience,
   * nonce and times.
   * @param query the query of the redirect, as it was sent
   * @throws SsoNotConfiguredError, SsoProviderError, SsoRefusedError
   */
  async finish(query: string, state: string, attempt: SsoAttempt): Promise<SsoPerson> {
    const configuration = await this.describe();
    try {
      const tokens = await oidc.authorizationCodeGrant(configuration, new URL(`${this.links.api(CALLBACK)}?${query}`), {
        expectedState: state,
        expectedNonce: attempt.nonce,
        pkceCodeVerifier: attempt.codeVerifier,
        idTokenExpected: true,
      });
      const idToken = tokens.claims()!;
      const claims = await this.completed(configuration, idToken, tokens.access_token);
      return personOf(idToken.iss, idToken.sub, claims, this.config);
    } catch (error) {
      throw this.translated(error);
    }
  }

  /** Claims that are missing in the token are requested from the provider; claims of the token take precedence. */
  private async completed(configuration: oidc.Configuration, idToken: oidc.IDToken, access: string): Promise<Claims> {
    const { adminClaim } = this.config;
    const isWhole =
      idToken.email !== undefined && (adminClaim === undefined || claimAt(idToken, adminClaim) !== undefined);
    if (isWhole || configuration.serverMetadata().userinfo_endpoint === undefined) return idToken;
    return { ...(await oidc.fetchUserInfo(configuration, access, idToken.sub)), ...idToken };
  }

  private async describe(): Promise<oidc.Configuration> {
    if (!this.config.isConfigured) throw new SsoNotConfiguredError();
    const now = this.clock.now();
    if (this.description === undefined || now - this.description.readAt >= DESCRIPTION_KEPT_SECONDS) {
      const description = { configuration: this.discover(), readAt: now };
      this.description = description;
      description.configuration.catch(() => {
        if (this.description === description) this.description = undefined;
      });
    }
    try {
      return await this.description.configuration;
    } catch (error) {
      this.logger.warn(`The description of ${this.config.issuer!} could not be read: ${reasonOf(error)}`);
      throw new SsoProviderError();
    }
  }

  private discover(): Promise<oidc.Configuration> {
    const { issuer, clientId, clientSecret, allowHttp } = this.config;
    return oidc.discovery(new URL(issuer!), clientId!, clientSecret, clientAuthentication(clientSecret), {
      timeout: TIMEOUT_SECONDS,
      execute: [
        // The library trusts the connection to the provider instead; a proxy between the two could then log in as any
        // user.
        oidc.enableNonRepudiationChecks,
        // oxlint-disable-next-line typescript/no-deprecated -- deprecated to prevent accidental use
        ...(allowHttp ? [oidc.allowInsecureRequests] : []),
      ],
    });
  }

  private translated(error: unknown): Error {
    if (error instanceof SsoRefusedError) return error;
    // Messages of the provider may repeat the sent data; its codes do not.
    this.logger.warn(`A single sign-on failed: ${reasonOf(error)}`);
    if (error instanceof oidc.AuthorizationResponseError) {
      return new SsoRefusedError(`The provider refused the login (${error.error}).`);
    }
    const isUsedCode = error instanceof oidc.ResponseBodyError && error.error === 'invalid_grant';
    const isWrong = error instanceof oidc.ClientError && !OF_THE_PROVIDER.has(error.code ?? '');
    if (isUsedCode || isWrong) {
      return new SsoRefusedError('What the provider sent back is not valid, or no longer valid. Please start again.');
    }
    return new SsoProviderError();
  }
}

/** Errors of the library for a provider that is unavailable or broken, as opposed to a wrong answer. */
const OF_THE_PROVIDER = new Set([
  'OAUTH_TIMEOUT',
  'OAUTH_ABORT',
  'OAUTH_PARSE_ERROR',
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
]);

/** The authentication method that the provider declares; if it declares none, the default of the standard. */
function clientAuthentication(secret: string | undefined): oidc.ClientAuth {
  if (secret === undefined) return oidc.None();
  const [basic, post] = [oidc.ClientSecretBasic(secret), oidc.ClientSecretPost(secret)];
  return (server, client, body, headers) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    const authenticate = methods.includes('client_secret_basic') ? basic : post;
    authenticate(server, client, body, headers);
  };
}

function reasonOf(error: unknown): string {
  if (error instanceof oidc.AuthorizationResponseError || error instanceof oidc.ResponseBodyError) return error.error;
  const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
  const cause = error instanceof Error && error.cause instanceof Error ? `: ${messageOf(error.cause)}` : '';
  return `${messageOf(error)}${code}${cause}`;
}
