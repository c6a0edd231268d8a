import { createTestDatabase, type TestDatabase } from '../../../../../test/support/database.js';
import { HandClock } from '../../../../../test/support/hand-clock.js';
import { IdentityApp, PASSWORD } from '../../../../../test/support/identity-app.js';
import { IdentityProvider } from '../../../../../test/support/identity-provider.js';
import { EventRecorderService } from '../../platform/event/event-recorder.service.js';
import { type Org } from '../org/org.types.js';
import { AccountLinksService } from '../user/account-links.service.js';
import { UserService } from '../user/user.service.js';
import { SsoRepository } from './sso.repository.js';

const PUBLIC_URL = 'https://plumbline.example.org';
const CALLBACK = `${PUBLIC_URL}/api/login/sso/callback`;

/** The cookies that the product has set in a browser. */
class Browser {
  private readonly cookies = new Map<string, string>();

  constructor(private readonly app: IdentityApp) {}

  async get(path: string, accept = 'text/html,*/*;q=0.8') {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await this.app
      .http()
      .get(path)
      .set({ Accept: accept, 'Sec-Fetch-Site': 'cross-site', ...(cookie === '' ? {} : { Cookie: cookie }) });
    for (const line of (answer.headers['set-cookie'] as string[] | undefined) ?? []) {
      const [pair = ''] = line.split(';');
      this.cookies.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1));
    }
    return answer;
  }

  cookie(name: string): string | undefined {
    return this.cookies.get(name);
  }
}

const pathOf = (url: URL): string => url.pathname + url.search;

describe('single sign-on', () => {
  let provider: IdentityProvider;
  let app: IdentityApp;
  let org: Org;
  let clock: HandClock;
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
    provider = await IdentityProvider.start(CALLBACK);
  });
  afterAll(async () => {
    await provider.close();
    await database.drop();
  });
  afterEach(async () => {
    await app.close();
    await database.dataSource.query('DELETE FROM org');
    await database.dataSource.query('DELETE FROM sso_login');
  });

  async function start(env: Record<string, string> = {}): Promise<void> {
    clock = new HandClock();
    app = await IdentityApp.create({ env: { ...provider.env, ...env }, clock, database });
    org = await app.anOrg({ name: 'Fjord Kraft' });
    // An administrator, as every organisation has.
    await app.aUser(org.id, { email: 'root@example.org', admin: true });
    provider.person = { sub: 'ann-1', email: 'Ann@example.org', email_verified: true, name: 'Ann' };
  }

  /** Follows the login from the console to the provider and back. */
  async function login(browser = new Browser(app), accept?: string) {
    const begun = await browser.get('/api/login/sso?return_to=%2Fanomaly%2F12%3Fa%3Db');
    expect(begun.status).toBe(303);
    return browser.get(pathOf(await provider.walk(begun.headers.location!)), accept);
  }

  const loginJson = (browser?: Browser) => login(browser, 'application/json');
  const users = () =>
    database.dataSource.query<Record<string, unknown>[]>(
      `SELECT id, org_id, email, name, admin, state, password_hash FROM user_account WHERE org_id IS NOT NULL ORDER BY id`,
    );
  const refusal = async () => {
    const answer = await loginJson();
    return [answer.status, answer.body.data.error?.code, answer.body.data.message] as const;
  };

  it('is off unless it is configured', async () => {
    app = await IdentityApp.create({ database });
    const methods = await app.http().get('/api/login/methods').expect(200);
    expect(methods.body.data.sso).toMatchObject({ enabled: false });
    const begun = await app.http().get('/api/login/sso').expect(503);
    expect(begun.body.data.error.code).toBe('not_configured');
    const finished = await app.http().get('/api/login/sso/callback?state=x&code=y').set('Accept', 'application/json');
    expect(finished.body.data.error.code).toBe('expired');
  });

  it('returns the label and address of its button', async () => {
    await start({ OIDC_LABEL: 'Fjord account' });
    const methods = await app.http().get('/api/login/methods').expect(200);
    const sso = { enabled: true, label: 'Fjord account', url: `${PUBLIC_URL}/api/login/sso` };
    expect(methods.body.data.sso).toEqual(sso);
  });

  it('redirects to the provider with state, nonce and PKCE, bound to the browser', async () => {
    await start();
    const answer = await app.http().get('/api/login/sso').expect(303);
    const { origin, searchParams } = new URL(answer.headers.location!);
    expect(origin).toBe(provider.issuer);
    expect(Object.fromEntries(searchParams)).toEqual({
      client_id: 'plumbline',
      redirect_uri: CALLBACK,
      response_type: 'code',
      scope: 'openid email profile',
      state: expect.stringMatching(/^[\w-]{43}$/) as string,
      nonce: expect.stringMatching(/^[\w-]{43}$/) as string,
      code_challenge: expect.stringMatching(/^[\w-]{43}$/) as string,
      code_challenge_method: 'S256',
    });
    expect(answer.headers['set-cookie']).toEqual([
      expect.stringMatching(/^sso_browser=[\w-]{43}; Max-Age=600; Path=\/; .*HttpOnly; Secure; SameSite=Lax$/),
    ]);
    const stored = JSON.stringify(await database.dataSource.query('SELECT * FROM sso_login'));
    for (const name of ['state', 'nonce', 'code_challenge']) expect(stored).not.toContain(searchParams.get(name));
  });

  describe('of a new user', () => {
    it('creates the user, logs in, and redirects to the page of the console', async () => {
      await start();
      const browser = new Browser(app);
      const answer = await login(browser);
      expect(answer.status).toBe(303);
      expect(answer.headers.location).toBe(`${PUBLIC_URL}/anomaly/12?a=b`);
      const info = await app
        .http()
        .get('/api/user/info')
        .set('X-Session-Id', browser.cookie('session_id')!)
        .expect(200);
      expect(info.body.data.user).toMatchObject({
        email: 'Ann@example.org',
        name: 'Ann',
        admin: false,
        state: 'active',
        org_id: org.id,
      });
      expect((await users())[1]).toMatchObject({ password_hash: null });

      await app.get(EventRecorderService).flush();
      const events = await database.dataSource.query(`SELECT type, text FROM org_event`);
      expect(events).toEqual([{ type: 'user_joined', text: 'Ann joined by single sign-on.' }]);
      const entries = await database.dataSource.query(`SELECT action FROM audit_entry WHERE org_id = $1`, [org.id]);
      expect(entries).toEqual([{ action: 'sso.user_created' }, { action: 'login.sso' }]);
    });

    it('returns an envelope to a caller that accepts JSON', async () => {
      await start();
      const answer = await loginJson();
      expect(answer.status).toBe(200);
      const { session, client_id: clientId, ...rest } = answer.body.data;
      expect(rest).toEqual({ return_to: `${PUBLIC_URL}/anomaly/12?a=b`, message: 'OK' });
      expect(session).toMatchObject({ id: answer.body.status.session_id as string, user: { name: 'Ann' } });
      expect(clientId).toMatch(/^[\w-]{43}$/);
    });

    it('finds the same user at the next login by the subject, even with another address', async () => {
      await start();
      const first = await loginJson();
      provider.person = { sub: 'ann-1', email: 'ann.berg@example.org', email_verified: false, name: 'Ann Berg' };
      const second = await loginJson();
      expect(second.body.data.session.user).toMatchObject({
        id: first.body.data.session.user.id as number,
        name: 'Ann',
      });
      expect(second.body.data.session.id).not.toBe(first.body.data.session.id);
      expect(await users()).toHaveLength(2);
    });

    it('creates one user for concurrent first logins', async () => {
      await start();
      const answers = await Promise.all([loginJson(), loginJson(), loginJson()]);
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
      expect(await users()).toHaveLength(2);
    });

    it.each([
      [{ sub: 'x' }, 'did not send your e-mail address'],
      [
        { sub: 'x', email: 'x@example.org', email_verified: false },
        'does not say that x@example.org is your confirmed address',
      ],
      [{ sub: 'x', email: 'x@example.org' }, 'does not say that x@example.org is your confirmed address'],
      [{ sub: 'x', email: 'no address', email_verified: true }, 'did not send a valid e-mail address'],
    ])('requires a confirmed address: %j', async (person, message) => {
      await start();
      provider.person = person;
      expect(await refusal()).toEqual([401, 'login_failed', expect.stringContaining(message)]);
      expect(await users()).toHaveLength(1);
    });

    it('with OIDC_TRUST_EMAIL accepts an address whose state the provider does not send', async () => {
      await start({ OIDC_TRUST_EMAIL: 'on' });
      provider.person = { sub: 'x', email: 'x@example.org' };
      expect((await loginJson()).status).toBe(200);
      provider.person = { sub: 'y', email: 'y@example.org', email_verified: false };
      expect((await loginJson()).status).toBe(401);
    });

    it('accepts only addresses of the allowed domains', async () => {
      await start({ OIDC_ALLOWED_DOMAINS: 'fjord.example, EXAMPLE.com' });
      expect(await refusal()).toEqual([401, 'login_failed', expect.stringContaining('domain')]);
      provider.person = { sub: 'x', email: 'x@example.com', email_verified: true };
      expect((await loginJson()).status).toBe(200);
    });
  });

  describe('of an existing user', () => {
    it('uses the account with the same confirmed address', async () => {
      await start();
      const { id } = await app.aUser(org.id, { email: 'ann@EXAMPLE.org' });
      const answer = await loginJson();
      expect(answer.body.data.session.user.id).toBe(id);
      const entries = await database.dataSource.query(`SELECT action FROM audit_entry WHERE org_id = $1`, [org.id]);
      expect(entries).toEqual([{ action: 'sso.user_linked' }, { action: 'login.sso' }]);
    });

    it('takes over an account whose user set the address unproven, and ends all access of that user', async () => {
      await start();
      const mallory = await app.aUser(org.id, { email: 'mallory@example.org' });
      const session = await app.aSession(mallory.id);
      const moved = await app
        .http()
        .put('/api/user')
        .set('X-Session-Id', session)
        .send({ email: 'ann@example.org', password: PASSWORD });
      expect(moved.body.data).toMatchObject({ email_pending: null, user: { email: 'ann@example.org' } });
      const links = app.get(AccountLinksService);
      const waiting = { userId: mallory.id, purpose: 'email_change', validSeconds: 3600, form: 'hex32' } as const;
      const link = await links.create({ ...waiting, payload: 'mallory@example.org' });
      const answer = await loginJson();
      expect(answer.body.data.session.user.id).toBe(mallory.id);
      const back = await app.http().post('/api/user/confirmemail').send({ token: link });
      expect([back.status, back.body.data.error?.code]).toEqual([410, 'expired']);
      expect((await app.http().get('/api/user/info').set('X-Session-Id', session)).status).toBe(401);
      const login = await app.http().post('/api/login').send({ email: 'ann@example.org', password: PASSWORD });
      expect(login.status).toBe(401);
    });

    it('rejects an unconfirmed address that another account has', async () => {
      await start();
      await app.aUser(org.id, { email: 'ann@example.org', admin: true });
      provider.person = { sub: 'mallory', email: 'ann@example.org', email_verified: false };
      expect((await refusal())[0]).toBe(401);
    });

    it('accepts an invitation', async () => {
      await start();
      const invited = await app.get(UserService).create({ orgId: org.id, email: 'ann@example.org' });
      const answer = await loginJson();
      expect(answer.body.data.session.user).toMatchObject({ id: invited.id, state: 'active' });
    });

    it('is rejected for a user of another organisation', async () => {
      await start({ OIDC_ORG: 'Fjord Kraft' });
      await app.aUser((await app.anOrg()).id, { email: 'ann@example.org' });
      expect(await refusal()).toEqual([401, 'login_failed', expect.stringContaining('another organisation')]);
    });

    it('is rejected for a disabled user, linked or not', async () => {
      await start();
      const { id } = await app.aUser(org.id, { email: 'ann@example.org' });
      await app.get(UserService).update(org.id, id, { state: 'disabled' });
      expect(await refusal()).toEqual([401, 'login_failed', expect.stringContaining('disabled')]);
      await app.get(UserService).update(org.id, id, { state: 'active' });
      expect((await loginJson()).status).toBe(200);
      await app.get(UserService).update(org.id, id, { state: 'disabled' });
      expect((await refusal())[0]).toBe(401);
    });
  });

  describe('with a claim for administrators', () => {
    const env = {
      OIDC_SCOPES: 'openid,email,profile,roles',
      OIDC_ADMIN_CLAIM: 'realm_access.roles',
      OIDC_ADMIN_VALUE: 'plumbline-admin',
    };
    const withRoles = (...roles: string[]) => {
      provider.person = { ...provider.person!, realm_access: { roles } };
    };
    const isAdmin = async () => (await loginJson()).body.data.session.user.admin as boolean;

    it('sets and removes the administrator right at every login', async () => {
      await start(env);
      withRoles('other', 'plumbline-admin');
      expect(await isAdmin()).toBe(true);
      withRoles('other');
      expect(await isAdmin()).toBe(false);
      withRoles('plumbline-admin');
      expect(await isAdmin()).toBe(true);
      await app.get(EventRecorderService).flush();
      const events = await database.dataSource.query(`SELECT type FROM org_event ORDER BY id`);
      expect(events).toEqual([{ type: 'user_joined' }, { type: 'user_changed' }, { type: 'user_changed' }]);
    });

    it('keeps the right of the last administrator', async () => {
      await start(env);
      withRoles('plumbline-admin');
      expect(await isAdmin()).toBe(true);
      await database.dataSource.query(`DELETE FROM user_account WHERE email = 'root@example.org'`);
      withRoles();
      expect(await isAdmin()).toBe(true);
    });
  });

  describe('is rejected', () => {
    it('when the provider denies the login, with a redirect to a page that shows the reason', async () => {
      await start();
      provider.person = undefined;
      const answer = await login();
      expect(answer.status).toBe(303);
      const { pathname, searchParams } = new URL(answer.headers.location!);
      expect(pathname).toBe('/login');
      expect(searchParams.get('error')).toBe('login_failed');
      expect(searchParams.get('message')).toContain('access_denied');
    });

    it('in another browser, and in a browser without cookie', async () => {
      await start();
      const begun = await new Browser(app).get('/api/login/sso');
      const back = pathOf(await provider.walk(begun.headers.location!));
      const other = new Browser(app);
      await other.get('/api/login/sso');
      for (const browser of [other, new Browser(app)]) {
        const answer = await browser.get(back, 'application/json');
        expect([answer.status, answer.body.data.error.code]).toEqual([410, 'expired']);
        expect(answer.body.data.session).toBeUndefined();
      }
    });

    it('when the token is not signed with a key of the provider', async () => {
      await start();
      provider.publishesOtherKey = true;
      try {
        expect((await refusal()).slice(0, 2)).toEqual([401, 'login_failed']);
        expect((await users()).map(({ email }) => email)).toEqual(['root@example.org']);
      } finally {
        provider.publishesOtherKey = false;
      }
    });

    it('a second time, and with a forged state', async () => {
      await start();
      const browser = new Browser(app);
      const begun = await browser.get('/api/login/sso');
      const back = await provider.walk(begun.headers.location!);
      const forged = new URL(back);
      forged.searchParams.set('state', 'x'.repeat(43));
      expect((await browser.get(pathOf(forged), 'application/json')).status).toBe(410);
      expect((await browser.get(pathOf(back), 'application/json')).status).toBe(200);
      expect((await browser.get(pathOf(back), 'application/json')).status).toBe(410);
    });

    it('with the code of another login', async () => {
      await start();
      const browser = new Browser(app);
      const back = async () => provider.walk((await browser.get('/api/login/sso')).headers.location!);
      const [mine, theirs] = [await back(), await back()];
      mine.searchParams.set('code', theirs.searchParams.get('code')!);
      const answer = await browser.get(pathOf(mine), 'application/json');
      expect([answer.status, answer.body.data.error.code]).toEqual([401, 'login_failed']);
    });

    it('after ten minutes', async () => {
      await start();
      const browser = new Browser(app);
      const back = await provider.walk((await browser.get('/api/login/sso')).headers.location!);
      clock.seconds += 600;
      expect((await browser.get(pathOf(back), 'application/json')).status).toBe(410);
    });

    it('when the client secret is wrong, without revealing the secret', async () => {
      await start({ OIDC_CLIENT_SECRET: 'another' });
      const answer = await loginJson();
      expect([answer.status, answer.body.data.error.code]).toEqual([502, 'upstream_failed']);
      expect(JSON.stringify(answer.body)).not.toContain('another');
    });

    it('with several organisations when OIDC_ORG is not set', async () => {
      await start();
      await app.anOrg();
      expect((await refusal()).slice(0, 2)).toEqual([503, 'not_configured']);
    });

    it('when the organisation of OIDC_ORG does not exist', async () => {
      await start({ OIDC_ORG: 'nobody' });
      expect((await refusal()).slice(0, 2)).toEqual([503, 'not_configured']);
    });
  });

  it('answers 502 when the provider is unreachable', async () => {
    await start({ OIDC_ISSUER: 'http://127.0.0.1:9' });
    const answer = await app.http().get('/api/login/sso').expect(502);
    expect(answer.body.data.error.code).toBe('upstream_failed');
  });

  it.each(['//evil.example', '/\\evil.example', 'https://evil.example', 'evil', '/\t/evil.example'])(
    'never redirects outside of the console: %j',
    async (path) => {
      await start();
      const browser = new Browser(app);
      const begun = await browser.get(`/api/login/sso?return_to=${encodeURIComponent(path)}`);
      if (begun.status === 400) return;
      const answer = await browser.get(pathOf(await provider.walk(begun.headers.location!)));
      expect(answer.headers.location).toBe(`${PUBLIC_URL}/`);
    },
  );

  it('erases expired logins that were not completed', async () => {
    await start();
    await new Browser(app).get('/api/login/sso');
    const waiting = () => database.dataSource.query<unknown[]>('SELECT FROM sso_login');
    await app.get(SsoRepository).forgetExpiredLogins(app.clock.now());
    expect(await waiting()).toHaveLength(1);
    clock.seconds += 601;
    await app.get(SsoRepository).forgetExpiredLogins(app.clock.now());
    expect(await waiting()).toEqual([]);
  });

  it('ends the previous session of the browser', async () => {
    await start();
    const browser = new Browser(app);
    await login(browser);
    const before = browser.cookie('session_id')!;
    await login(browser);
    expect(browser.cookie('session_id')).not.toBe(before);
    await app.http().get('/api/user/info').set('X-Session-Id', before).expect(401);
  });
});
