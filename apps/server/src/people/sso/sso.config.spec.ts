import { loadConfig } from '../../common/config/load-config.js';
import { SsoConfig } from './sso.config.js';

const load = (env: Record<string, string>) => loadConfig([SsoConfig], env).get(SsoConfig);
const PROVIDER = { OIDC_ISSUER: 'https://id.example.org/realms/x/', OIDC_CLIENT_ID: 'plumbline' };

describe('the single sign-on settings', () => {
  it('are not configured by default', () => {
    expect(load({}).isConfigured).toBe(false);
  });

  it('keep the issuer unchanged', () => {
    expect(load(PROVIDER)).toMatchObject({ isConfigured: true, issuer: 'https://id.example.org/realms/x/' });
  });

  it.each([
    [{ OIDC_ISSUER: 'https://id.example.org' }, 'OIDC_CLIENT_ID: OIDC_ISSUER and OIDC_CLIENT_ID must be set together'],
    [{ OIDC_CLIENT_ID: 'plumbline' }, 'OIDC_ISSUER: OIDC_ISSUER and OIDC_CLIENT_ID must be set together'],
    [{ ...PROVIDER, OIDC_ISSUER: 'http://id.example.org' }, 'OIDC_ISSUER: must be an https address'],
    [{ ...PROVIDER, OIDC_ADMIN_CLAIM: 'groups' }, 'OIDC_ADMIN_VALUE: OIDC_ADMIN_CLAIM and OIDC_ADMIN_VALUE'],
    [{ ...PROVIDER, OIDC_SCOPES: 'email' }, 'OIDC_SCOPES: must contain openid'],
  ])('are rejected when they are inconsistent: %j', (env, message) => {
    expect(() => load(env)).toThrow(message);
  });

  it('accept a provider without encryption only with OIDC_ALLOW_HTTP', () => {
    const env = { ...PROVIDER, OIDC_ISSUER: 'http://127.0.0.1:8080', OIDC_ALLOW_HTTP: 'on' };
    expect(load(env).isConfigured).toBe(true);
  });
});
