import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';

const CLIENT_ID = 'plumbline';
const CLIENT_SECRET = 'a secret with characters: +%&';

/** Maximum number of redirects in a login. */
const MAX_STEPS = 20;

export interface ProviderPerson {
  sub: string;
  [claim: string]: unknown;
}

/** A real OpenID Connect provider on a free port. It logs every visitor in as `person`, without interaction. */
export class IdentityProvider {
  /** The next person to log in; undefined denies the login. */
  person: ProviderPerson | undefined;

  /** Publishes another key than the signing key, so that its tokens are equivalent to forged ones. */
  publishesOtherKey = false;

  private constructor(
    private readonly server: Server,
    readonly issuer: string,
  ) {}

  /** @param redirectUri the only address to which it redirects browsers back */
  static async start(redirectUri: string): Promise<IdentityProvider> {
    const handlers: { current?: (request: IncomingMessage, response: ServerResponse) => void } = {};
    const server = createServer((request, response) => handlers.current!(request, response));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const issuer = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
    const self = new IdentityProvider(server, issuer);
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const other = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey.export({ format: 'jwk' });
    const provider = new Provider(issuer, {
      clients: [{ client_id: CLIENT_ID, client_secret: CLIENT_SECRET, redirect_uris: [redirectUri] }],
      jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256', kid: 'test' }] },
      cookies: { keys: ['a key of tests'] },
      pkce: { required: () => true },
      claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'], roles: ['realm_access'] },
      scopes: ['openid', 'email', 'profile', 'roles'],
      features: { devInteractions: { enabled: false } },
      interactions: { url: (_context, interaction) => `/interaction/${interaction.uid}` },
      findAccount: (_context, sub) => ({ accountId: sub, claims: () => ({ ...self.person, sub }) }),
      // Grants every scope without consent.
      loadExistingGrant: async (context) => {
        const grant = new context.oidc.provider.Grant({
          clientId: CLIENT_ID,
          accountId: context.oidc.session!.accountId!,
        });
        grant.addOIDCScope('openid email profile roles');
        await grant.save();
        return grant;
      },
      ttl: { AccessToken: 60, AuthorizationCode: 60, Grant: 60, IdToken: 60, Interaction: 60, Session: 60 },
    });
    const callback = provider.callback();
    handlers.current = (request, response) => {
      if (request.url?.startsWith('/interaction/')) {
        const { person } = self;
        const result = person === undefined ? { error: 'access_denied' } : { login: { accountId: person.sub } };
        provider.interactionFinished(request, response, result).catch(() => response.writeHead(500).end());
      } else if (request.url === '/jwks' && self.publishesOtherKey) {
        const keys = [{ ...other, use: 'sig', alg: 'RS256', kid: 'test' }];
        response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify({ keys }));
      } else {
        void callback(request, response);
      }
    };
    return self;
  }

  /** Settings of a product that uses this provider. */
  get env(): Record<string, string> {
    return {
      OIDC_ISSUER: this.issuer,
      OIDC_CLIENT_ID: CLIENT_ID,
      OIDC_CLIENT_SECRET: CLIENT_SECRET,
      OIDC_ALLOW_HTTP: 'on',
    };
  }

  /** Follows redirects from an address of this provider with a new browser; returns the first address outside of it. */
  async walk(address: string): Promise<URL> {
    const cookies = new Map<string, string>();
    let here = new URL(address);
    for (let step = 0; here.origin === this.issuer; step++) {
      if (step > MAX_STEPS) throw new Error(`The provider goes in circles: ${here.href}`);
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const answer = await fetch(here, { redirect: 'manual', headers: { cookie } });
      for (const line of answer.headers.getSetCookie()) {
        const [pair = ''] = line.split(';');
        cookies.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1));
      }
      const location = answer.headers.get('location');
      if (location === null) throw new Error(`${here.pathname}: ${String(answer.status)} ${await answer.text()}`);
      here = new URL(location, here);
    }
    return here;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}
