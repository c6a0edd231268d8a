import { jest } from '@jest/globals';
import { Permission } from '#libs/contracts';
import { START } from '../../../../../test/support/hand-clock.js';
import { IdentityApp, PASSWORD } from '../../../../../test/support/identity-app.js';
import { PasswordService } from '../user/password.service.js';
import { UserService } from '../user/user.service.js';
import { SessionService } from './session.service.js';

const DAY = 86_400;
const ORIGIN = 'https://plumbline.example.org';

let identity: IdentityApp;
let orgId: number;

beforeAll(async () => {
  identity = await IdentityApp.create({ env: { TRUSTED_PROXIES: 'loopback' } });
  orgId = (await identity.anOrg({ name: 'Example Ltd', timezone: 'Europe/Oslo' })).id;
});
afterAll(() => identity.close());
beforeEach(() => {
  identity.clock.seconds = START;
});

let address = 0;
/** Each test logs in from its own addresses, so that the limit of one does not affect another. */
const anAddress = (): string => `192.0.2.${String(++address)}`;

function login(body: object, { app = identity, from = anAddress() } = {}) {
  return app.http().post('/api/login').set('X-Forwarded-For', from).send(body);
}

function cookiesOf(response: { headers: Record<string, unknown> }): string[] {
  return (response.headers['set-cookie'] ?? []) as string[];
}

describe('POST /login', () => {
  it('starts a session', async () => {
    const user = await identity.aUser(orgId, { admin: true, name: 'Ann' });
    const response = await login({ email: user.email, password: PASSWORD });
    expect(response.status).toBe(200);
    const { status, data } = response.body;
    expect(data).toEqual({
      validation_required: false,
      session: { id: expect.stringMatching(/^[0-9a-f]{32}$/), user: expect.anything() },
      client_id: expect.stringMatching(/^[\w-]{43}$/),
      validation: null,
      message: 'OK',
    });
    expect(data.session.user).toMatchObject({
      id: user.id,
      org_id: orgId,
      name: 'Ann',
      email: user.email,
      admin: true,
      state: 'active',
      org: { id: orgId, name: 'Example Ltd', timezone: 'Europe/Oslo' },
      last_login_timestamp: START,
    });
    expect(status.session_id).toBe(data.session.id);
    expect(status.timezone.timezone).toBe('Europe/Oslo');
    expect(await identity.get(SessionService).find(data.session.id)).toMatchObject({ userId: user.id });
  });

  it('sets both cookies with HttpOnly, Secure and SameSite', async () => {
    const user = await identity.aUser(orgId);
    const response = await login({ email: user.email, password: PASSWORD });
    const { session, client_id: clientId } = response.body.data;
    const [sessionCookie, clientCookie] = cookiesOf(response);
    expect(sessionCookie).toMatch(new RegExp(`^session_id=${session.id as string}; `));
    expect(clientCookie).toMatch(new RegExp(`^client_id=${clientId as string}; `));
    for (const cookie of [sessionCookie, clientCookie]) {
      expect(cookie).toContain('Path=/');
      expect(cookie).toContain('HttpOnly');
      expect(cookie).toContain('SameSite=Lax');
      expect(cookie).toContain('Secure');
    }
    expect(sessionCookie).toContain(`Max-Age=${String(7 * DAY)}`);
    expect(clientCookie).toContain(`Max-Age=${String(180 * DAY)}`);
  });

  it('accepts a form, and ignores case and blanks of the address', async () => {
    const user = await identity.aUser(orgId, { email: 'Form@Example.org' });
    const response = await identity
      .http()
      .post('/api/login')
      .set('X-Forwarded-For', anAddress())
      .type('form')
      .send({ email: ' FORM@example.org ', password: PASSWORD });
    expect(response.body.data.session.user.id).toBe(user.id);
  });

  it('returns the same error for unknown, invited and disabled users and for a wrong password', async () => {
    const user = await identity.aUser(orgId);
    const invited = await identity.aUser(orgId, { password: undefined });
    const disabled = await identity.aUser(orgId);
    await identity.database.dataSource.query("UPDATE user_account SET state = 'disabled' WHERE id = $1", [disabled.id]);
    const answers = await Promise.all(
      [
        { email: 'nobody@example.org', password: PASSWORD },
        { email: 'not an address', password: PASSWORD },
        { email: user.email, password: 'a wrong password' },
        { email: invited.email, password: PASSWORD },
        { email: disabled.email, password: PASSWORD },
      ].map((body) => login(body)),
    );
    for (const response of answers) {
      expect(response.status).toBe(401);
      expect(response.body.data).toEqual(answers[0]!.body.data);
      expect(response.body.data.error.code).toBe('login_failed');
      expect(cookiesOf(response)).toEqual([]);
    }
  });

  it.each([
    [{}, ['email', 'password']],
    [{ email: 'ann@example.org' }, ['password']],
    [{ email: '', password: PASSWORD }, ['email']],
    [{ email: 'ann@example.org', password: 'x'.repeat(201) }, ['password']],
    [{ email: 'x'.repeat(255), password: PASSWORD }, ['email']],
    [{ email: { a: 1 }, password: [] }, ['email', 'password']],
    [{ email: 'ann@example.org', password: PASSWORD, remember: true }, ['remember']],
  ])('rejects %j', async (body, fields) => {
    const response = await login(body);
    expect(response.status).toBe(400);
    expect(response.body.data.error.code).toBe('validation_failed');
    expect((response.body.data.error.details as { field: string }[]).map(({ field }) => field).sort()).toEqual(fields);
  });

  it('rejects a password in the address', async () => {
    const response = await identity
      .http()
      .post('/api/login')
      .query({ password: PASSWORD })
      .send({ email: 'ann@example.org' });
    expect(response.body.data.error.details).toMatchObject([{ field: 'password', code: 'body_only' }]);
  });

  it('starts no session when the password is replaced during its check', async () => {
    const user = await identity.aUser(orgId);
    const passwords = identity.get(PasswordService);
    const verify = passwords.verify.bind(passwords);
    const slow = jest.spyOn(passwords, 'verify').mockImplementation(async (...given) => {
      const fits = await verify(...given);
      await identity.get(UserService).setPassword(orgId, user.id, `${PASSWORD} again`);
      return fits;
    });
    const response = await login({ email: user.email, password: PASSWORD });
    slow.mockRestore();
    expect([response.status, response.body.data.error.code]).toEqual([401, 'login_failed']);
    expect(cookiesOf(response)).toEqual([]);
  });

  it('rejects a login from another site', async () => {
    const user = await identity.aUser(orgId);
    const form = { email: user.email, password: PASSWORD };
    for (const headers of [{ 'Sec-Fetch-Site': 'cross-site' }, { Origin: 'https://evil.example.org' }]) {
      const response = await identity.http().post('/api/login').set(headers).type('form').send(form);
      expect([response.status, response.body.data.error.code]).toEqual([403, 'cross_site_refused']);
      expect(cookiesOf(response)).toEqual([]);
    }
  });

  it('ends the previous session', async () => {
    const user = await identity.aUser(orgId);
    const before = await identity.aSession(user.id);
    const response = await identity
      .http()
      .post('/api/login')
      .set('X-Session-Id', before)
      .send({ email: user.email, password: PASSWORD });
    expect(response.body.data.session.id).not.toBe(before);
    expect(await identity.get(SessionService).find(before)).toBe('ended');
  });

  it('keeps the client id of a client known to the user, and assigns others a new one', async () => {
    const [ann, bob] = [await identity.aUser(orgId), await identity.aUser(orgId)];
    const asClient = (email: string | null, clientId: string) =>
      login({ email, password: PASSWORD }).set('X-Client-Id', clientId);
    const first = (await login({ email: ann.email, password: PASSWORD })).body.data.client_id as string;
    expect((await asClient(ann.email, first)).body.data.client_id).toBe(first);
    const byCookie = await login({ email: ann.email, password: PASSWORD }).set('Cookie', `client_id=${first}`);
    expect(byCookie.body.data.client_id).toBe(first);
    expect((await asClient(bob.email, first)).body.data.client_id).not.toBe(first);
    expect((await asClient(ann.email, 'made up')).body.data.client_id).toMatch(/^[\w-]{43}$/);
    identity.clock.seconds = START + 180 * DAY;
    expect((await asClient(ann.email, first)).body.data.client_id).not.toBe(first);
  });
});

it('POST /login records only successful logins in the audit trail', async () => {
  const user = await identity.aUser(orgId);
  await login({ email: user.email, password: 'a wrong password' });
  await login({ email: user.email, password: PASSWORD });
  const entries: unknown = await identity.database.dataSource.query(
    'SELECT action, actor_type, object_name FROM audit_entry WHERE object_id = $1',
    [String(user.id)],
  );
  expect(entries).toEqual([{ action: 'login.password', actor_type: 'user', object_name: user.email }]);
});

describe('the limit on failed logins', () => {
  const wrong = 'a wrong password';

  it('locks an account in all processes after 10 failures from any address, even for the right password', async () => {
    const user = await identity.aUser(orgId);
    for (let i = 0; i < 10; i++) expect((await login({ email: user.email, password: wrong })).status).toBe(401);
    const refused = await login({ email: user.email?.toUpperCase(), password: PASSWORD });
    expect(refused.status).toBe(429);
    expect(refused.body.data.error.code).toBe('rate_limited');
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(800);
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(900);
    expect(refused.headers['x-ratelimit-limit']).toBe('10');
    expect(refused.headers['x-ratelimit-remaining']).toBe('0');

    const restarted = await IdentityApp.create({ database: identity.database, env: { TRUSTED_PROXIES: 'loopback' } });
    try {
      expect((await login({ email: user.email, password: PASSWORD }, { app: restarted })).status).toBe(429);
    } finally {
      await restarted.close();
    }
    const other = await identity.aUser(orgId);
    expect((await login({ email: other.email, password: PASSWORD })).status).toBe(200);
  });

  it('does not lock out a known client of the account while others guess, even from the same address', async () => {
    const user = await identity.aUser(orgId);
    const from = anAddress();
    const first = await login({ email: user.email, password: PASSWORD }, { from });
    const known = first.body.data.client_id as string;
    const asOwner = (password: string) => login({ email: user.email, password }, { from }).set('X-Client-Id', known);
    for (let i = 0; i < 10; i++) await login({ email: user.email, password: wrong }, { from });
    for (let i = 0; i < 25; i++) await login({ email: `v${String(i)}@example.net`, password: wrong }, { from });
    expect((await login({ email: user.email, password: PASSWORD })).status).toBe(429);
    expect((await login({ email: user.email, password: PASSWORD }, { from })).status).toBe(429);
    expect((await asOwner(PASSWORD)).status).toBe(200);

    // A known client is limited too, and its failures do not count for other clients.
    for (let i = 0; i < 10; i++) expect((await asOwner(wrong)).status).toBe(401);
    expect((await asOwner(PASSWORD)).status).toBe(429);
  });

  it('treats a client as known only for its own account', async () => {
    const [user, other] = [await identity.aUser(orgId), await identity.aUser(orgId)];
    const known = (await login({ email: other.email, password: PASSWORD })).body.data.client_id as string;
    const guess = (password: string) => login({ email: user.email, password }).set('X-Client-Id', known);
    for (let i = 0; i < 10; i++) expect((await guess(wrong)).status).toBe(401);
    expect((await guess(PASSWORD)).status).toBe(429);
  });

  it('does not block a logged-in user from changing the password', async () => {
    const user = await identity.aUser(orgId);
    const session = (await login({ email: user.email, password: PASSWORD })).body.data.session.id as string;
    for (let i = 0; i < 10; i++) await login({ email: user.email, password: wrong });
    const password = 'a quite new password';
    const changed = await identity
      .http()
      .put('/api/user/password')
      .set('X-Session-Id', session)
      .send({ old_password: PASSWORD, new_password_1: password, new_password_2: password });
    expect(changed.status).toBe(200);
  });

  it('counts unknown accounts like existing ones', async () => {
    for (let i = 0; i < 10; i++) await login({ email: 'ghost@example.org', password: wrong });
    expect((await login({ email: 'ghost@example.org', password: wrong })).status).toBe(429);
  });

  it('allows 10 of 25 concurrent failures', async () => {
    const user = await identity.aUser(orgId);
    const answers = await Promise.all(Array.from({ length: 25 }, () => login({ email: user.email, password: wrong })));
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(10);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(15);
  });

  it('locks an address after 30 failures over all accounts', async () => {
    const from = anAddress();
    for (let i = 0; i < 30; i++) {
      expect((await login({ email: `u${String(i)}@example.net`, password: wrong }, { from })).status).toBe(401);
    }
    const user = await identity.aUser(orgId);
    const refused = await login({ email: user.email, password: PASSWORD }, { from });
    expect(refused.status).toBe(429);
    expect(refused.headers['x-ratelimit-limit']).toBe('30');
    expect((await login({ email: user.email, password: PASSWORD })).status).toBe(200);
  });

  it('does not count successful logins', async () => {
    const user = await identity.aUser(orgId);
    const from = anAddress();
    for (let i = 0; i < 35; i++) {
      expect((await login({ email: user.email, password: PASSWORD }, { from })).status).toBe(200);
    }
  });

  it('expires with its window', async () => {
    const user = await identity.aUser(orgId);
    for (let i = 0; i < 10; i++) await login({ email: user.email, password: wrong });
    await identity.database.dataSource.query('UPDATE attempt_count SET expire = expire - 900000');
    expect((await login({ email: user.email, password: PASSWORD })).status).toBe(200);
  });

  it('stores neither e-mail addresses nor passwords', async () => {
    const user = await identity.aUser(orgId, { email: 'private.person@example.org' });
    await login({ email: user.email, password: wrong });
    const rows: unknown = await identity.database.dataSource.query('SELECT * FROM attempt_count');
    expect(JSON.stringify(rows)).not.toMatch(/private|wrong/);
  });
});

describe('LOGIN_CODE', () => {
  it('on without mail rejects unknown clients and accepts known ones', async () => {
    const user = await identity.aUser(orgId);
    const known = (await login({ email: user.email, password: PASSWORD })).body.data.client_id as string;
    const app = await IdentityApp.create({
      database: identity.database,
      env: { LOGIN_CODE: 'on', TRUSTED_PROXIES: 'loopback' },
    });
    try {
      const refused = await login({ email: user.email, password: PASSWORD }, { app });
      expect(refused.status).toBe(503);
      expect(refused.body.data.error.code).toBe('not_configured');
      expect(cookiesOf(refused)).toEqual([]);
      const welcome = await login({ email: user.email, password: PASSWORD }, { app }).set('X-Client-Id', known);
      expect(welcome.status).toBe(200);
      expect(welcome.body.data.client_id).toBe(known);
      const wrongPassword = await login({ email: user.email, password: 'a wrong password' }, { app });
      expect(wrongPassword.status).toBe(401);
    } finally {
      await app.close();
    }
  });
});

describe('POST /user/logout', () => {
  const asBrowser = (id: string) => ({ Cookie: `session_id=${id}`, Origin: ORIGIN });

  it('ends the session, clears the cookie and returns a new id', async () => {
    const id = await identity.aSession((await identity.aUser(orgId)).id);
    const response = await identity.http().post('/api/user/logout').set(asBrowser(id));
    expect(response.status).toBe(200);
    expect(response.body.data).toEqual({ message: 'OK' });
    expect(response.body.status.session_id).not.toBe(id);
    expect(response.body.status.timezone.timezone).toBe('UTC');
    expect(cookiesOf(response)[0]).toMatch(/^session_id=; .*Max-Age=0/);
    expect(await identity.get(SessionService).find(id)).toBe('ended');
    expect(response.headers.deprecation).toBeUndefined();
  });

  it('also works by GET, and links to its successor', async () => {
    const id = await identity.aSession((await identity.aUser(orgId)).id);
    const response = await identity.http().get('/api/user/logout').set('X-Session-Id', id);
    expect(response.status).toBe(200);
    expect(response.headers.deprecation).toBe('true');
    expect(response.headers.link).toBe(`<${ORIGIN}/api/user/logout>; rel="successor-version"`);
    expect(await identity.get(SessionService).find(id)).toBe('ended');
  });

  it('succeeds without a session', async () => {
    expect((await identity.http().post('/api/user/logout')).status).toBe(200);
    expect((await identity.http().get('/api/user/logout').set('X-Session-Id', 'f'.repeat(32))).status).toBe(200);
    const token = await identity.aToken(orgId, Permission.Read);
    expect((await identity.http().post('/api/user/logout').set('X-Auth-Token', token)).status).toBe(200);
  });

  it.each(['get', 'post'] as const)('by %s rejects a cookie from another site', async (method) => {
    const id = await identity.aSession((await identity.aUser(orgId)).id);
    const response = await identity.http()[method]('/api/user/logout').set('Cookie', `session_id=${id}`);
    expect(response.status).toBe(403);
    expect(response.body.data.error.code).toBe('cross_site_refused');
    expect(await identity.get(SessionService).find(id)).toMatchObject({ kind: 'user' });
  });

  it('answers 405 to HEAD', async () => {
    const id = await identity.aSession((await identity.aUser(orgId)).id);
    expect((await identity.http().head('/api/user/logout').set('X-Session-Id', id)).status).toBe(405);
    expect(await identity.get(SessionService).find(id)).toMatchObject({ kind: 'user' });
  });
});

describe('GET /user/info', () => {
  it('returns the user with contact data, by GET and POST', async () => {
    const user = await identity.aUser(orgId, { name: 'Ann' });
    const id = await identity.aSession(user.id);
    for (const method of ['get', 'post'] as const) {
      const response = await identity.http()[method]('/api/user/info').set('X-Session-Id', id);
      expect(response.status).toBe(200);
      expect(response.body.data.user).toMatchObject({ id: user.id, email: user.email, name: 'Ann', admin: false });
      expect(response.body.data.session).toEqual({ id, user: response.body.data.user });
      expect(response.body.status.session_id).toBe(id);
    }
  });

  it('accepts demo users, and rejects tokens and anonymous callers', async () => {
    const user = await identity.aUser(orgId);
    await identity.database.dataSource.query('UPDATE user_account SET demo = true WHERE id = $1', [user.id]);
    const info = () => identity.http().get('/api/user/info');
    expect((await info().set('X-Session-Id', await identity.aSession(user.id))).status).toBe(200);
    const byToken = await info().set('X-Auth-Token', await identity.aToken(orgId, Permission.Read));
    expect(byToken.body.data.error.code).toBe('session_required');
    expect((await info()).body.data.error.code).toBe('not_authenticated');
    const ended = await identity.aSession(user.id);
    await identity.get(SessionService).end(ended);
    expect((await info().set('X-Session-Id', ended)).body.data.error.code).toBe('session_expired');
  });
});

describe('GET /user/ping', () => {
  it('answers every caller, with the session if there is one and the local time', async () => {
    const id = await identity.aSession((await identity.aUser(orgId)).id);
    const known = await identity.http().get('/api/user/ping').set('X-Session-Id', id);
    expect(known.body.data).toEqual({
      ping: 'pong',
      session: { id, user: expect.objectContaining({ org_id: orgId }) },
      server_timestamp: START,
      local_time_string: 'Thu 09 Oct 2025 @ 10:53 (CEST)',
    });
    const unknown = await identity.http().post('/api/user/ping').set('X-Session-Id', 'f'.repeat(32));
    expect(unknown.body.data).toEqual({
      ping: 'pong',
      session: null,
      server_timestamp: START,
      local_time_string: 'Thu 09 Oct 2025 @ 08:53 (UTC)',
    });
  });
});

describe('the session cookie', () => {
  it('is renewed once a day', async () => {
    const id = await identity.aSession((await identity.aUser(orgId)).id);
    const ping = () => identity.http().get('/api/user/ping').set('Cookie', `session_id=${id}`);
    expect(cookiesOf(await ping())).toEqual([]);
    identity.clock.seconds = START + DAY;
    expect(cookiesOf(await ping())[0]).toMatch(new RegExp(`^session_id=${id}; Max-Age=${String(7 * DAY)}`));
    expect(cookiesOf(await ping())).toEqual([]);
  });
});
