import { Setting, type SettingProblem } from '../../common/config/setting.decorator.js';

/** Login with an OpenID Connect provider. Off unless OIDC_ISSUER and OIDC_CLIENT_ID are set. */
export class SsoConfig {
  /** As the provider writes it: a trailing slash matters. */
  @Setting({
    env: 'OIDC_ISSUER',
    type: 'string',
    pattern: /^https?:\/\/[^\s?#]+$/,
    form: 'an https address',
    defaultText: 'none: no single sign-on',
    sentence:
      'Issuer of the OpenID Connect provider; its description is read from /.well-known/openid-configuration below it.',
  })
  issuer: string | undefined;

  @Setting({
    env: 'OIDC_CLIENT_ID',
    type: 'string',
    defaultText: 'none; needed with OIDC_ISSUER',
    sentence: 'Client that this service is registered as; its redirect address is PUBLIC_URL/api/login/sso/callback.',
  })
  clientId: string | undefined;

  @Setting({
    env: 'OIDC_CLIENT_SECRET',
    type: 'string',
    secret: true,
    defaultText: 'none: a public client',
    sentence: 'Secret of that client.',
  })
  clientSecret: string | undefined;

  @Setting({
    env: 'OIDC_SCOPES',
    type: 'list',
    pattern: /^[\x21\x23-\x5b\x5d-\x7e]+$/,
    form: 'scopes',
    sentence: 'Scopes that are requested from the provider; add the one for the claim of OIDC_ADMIN_CLAIM.',
  })
  scopes: readonly string[] = ['openid', 'email', 'profile'];

  @Setting({
    env: 'OIDC_LABEL',
    type: 'string',
    pattern: /^.{1,60}$/,
    form: 'up to 60 characters',
    sentence: 'Name of the button on the login page.',
  })
  label = 'Single sign-on';

  @Setting({
    env: 'OIDC_ORG',
    type: 'string',
    form: 'an id or a name',
    defaultText: 'the only one that is not a demo',
    sentence: 'Organisation whose users log in this way.',
  })
  org: string | undefined;

  @Setting({
    env: 'OIDC_ALLOWED_DOMAINS',
    type: 'list',
    pattern: /^[^\s@,.]+(?:\.[^\s@,.]+)+$/,
    form: 'domains (example.org)',
    defaultText: 'all',
    sentence: 'Domains of e-mail addresses that may log in.',
  })
  allowedDomains: readonly string[] = [];

  @Setting({
    env: 'OIDC_ADMIN_CLAIM',
    type: 'string',
    pattern: /^\S+$/,
    form: 'a claim, with dots for what is inside another (realm_access.roles)',
    defaultText: 'none: administrators are set here',
    sentence: 'Claim that defines who is an administrator; evaluated at every login.',
  })
  adminClaim: string | undefined;

  @Setting({
    env: 'OIDC_ADMIN_VALUE',
    type: 'string',
    defaultText: 'none; needed with OIDC_ADMIN_CLAIM',
    sentence: 'Value that this claim has, or contains if it is a list, for administrators.',
  })
  adminValue: string | undefined;

  @Setting({
    env: 'OIDC_TRUST_EMAIL',
    type: 'boolean',
    sentence:
      'Treat addresses without the claim email_verified as confirmed; only where users cannot choose their address, as in a directory of a company.',
  })
  trustEmail = false;

  @Setting({
    env: 'OIDC_ALLOW_HTTP',
    type: 'boolean',
    sentence: 'Allow a provider without encryption; for trials on one machine.',
  })
  allowHttp = false;

  get isConfigured(): boolean {
    return this.issuer !== undefined && this.clientId !== undefined;
  }

  problems(): readonly SettingProblem[] {
    const problems: SettingProblem[] = [];
    if ((this.issuer === undefined) !== (this.clientId === undefined)) {
      const env = this.issuer === undefined ? 'OIDC_ISSUER' : 'OIDC_CLIENT_ID';
      problems.push({ env, message: 'OIDC_ISSUER and OIDC_CLIENT_ID must be set together' });
    }
    if (this.issuer?.startsWith('http:') && !this.allowHttp) {
      problems.push({ env: 'OIDC_ISSUER', message: 'must be an https address, unless OIDC_ALLOW_HTTP is on' });
    }
    if ((this.adminClaim === undefined) !== (this.adminValue === undefined)) {
      const env = this.adminClaim === undefined ? 'OIDC_ADMIN_CLAIM' : 'OIDC_ADMIN_VALUE';
      problems.push({ env, message: 'OIDC_ADMIN_CLAIM and OIDC_ADMIN_VALUE must be set together' });
    }
    if (!this.scopes.includes('openid')) problems.push({ env: 'OIDC_SCOPES', message: 'must contain openid' });
    return problems;
  }
}
