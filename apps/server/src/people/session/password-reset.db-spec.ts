import { START } from '../../../../../test/support/hand-clock.js';
import { IdentityApp, PASSWORD } from '../../../../../test/support/identity-app.js';
import { Mailbox } from '../../../../../test/support/mailbox.js';
import { type User } from '../user/user.types.js';
import { AfterAnswerService } from './login-limiter.js';
import { SessionService } from './session.service.js';

const ORIGIN = 'https://plumbline.example.org';
const NEW_PASSWORD = 'a quite different one';
const HOUR = 3600;

let mailbox: Mailbox;
let identity: IdentityApp;
let orgId: number;
let user: User;

beforeAll(async () => {
  mailbox = await Mailbox.start();
  const env = { TRUSTED_PROXIES: 'loopback', LOGIN_CODE: 'off', ...mailbox.env };
  identity = await IdentityApp.create({ env });
  orgId = (await identity.anOrg({ name: 'Example Ltd', timezone: 'Europe/Oslo' })).id;
});
afterAll(async () => {
  await identity.close();
  await mailbox.close();
});
beforeEach(async () => {
  identity.clock.seconds = START;
  user = await identity.aUser(orgId, { name: 'Ann' });
});

let address = 0;
const anAddress = (): string => `203.0.113.${String(++address)}`;

function post(path: string, body: object, { app = identity, from = anAddress() } = {}) {
  return app.http().post(`/api${path}`).set('X-Forwarded-For', from).send(body);
}

const forget = (email: string | null, options = {}) => post('/login/forgotpassword', { email }, options);
const login = (password: string) => post('/login', { email: user.email, password });
const twice = (password: string) => ({ new_password_1: password, new_password_2: password });
const reset = (token: string, password = NEW_PASSWORD, options = {}) =>
  post('/login/resetpassword', { token, ...twice(password) }, options);

/** Requests a reset and returns the token of its mail. */
async function aToken(): Promise<string> {
  expect((await forget(user.email)).status).toBe(200);
  for (;;) {
    const { text } = await mailbox.next(user.email!);
    // Notices of earlier changes may arrive first.
    const token = /reset-password\?token=([\w-]{43})\b/.exec(text!)?.[1];
    if (token !== undefined) return token;
  }
}

describe('POST /login/forgotpassword', () => {
  it('mails a link, and its token separately for copying', async () => {
    const response = await forget(user.email!.toUpperCase());
    expect(response.status).toBe(200);
    const mail = await mailbox.next(user.email!);
    const token = /reset-password\?token=([\w-]{43})\b/.exec(mail.text!)![1]!;
    expect(mail.text).toContain(`${ORIGIN}/reset-password?token=${token}`);
    expect(mail.html).toContain(`${ORIGIN}/reset-password?token=${token}`);
    expect(mail.text!.split(token)).toHaveLength(3);
    expect(cookiesOf(response)).toEqual([]);
  });

  it('answers the same for every address, and mails only users who can log in', async () => {
    const [invited, disabled] = [await identity.aUser(orgId, { password: undefined }), await identity.aUser(orgId)];
    await identity.database.dataSource.query("UPDATE user_account SET state = 'disabled' WHERE id = $1", [disabled.id]);
    const addresses = [user.email, 'nobody@example.org', 'no address', invited.email, disabled.email];
    const answers = await Promise.all(addresses.map((email) => forget(email)));
    for (const { status, body } of answers) {
      expect(status).toBe(200);
      expect(body.data).toEqual(answers[0]!.body.data);
    }
    await identity.get(AfterAnswerService).settled();
    const rows: { user_id: number }[] = await identity.database.dataSource.query(
      'SELECT user_id FROM account_link WHERE user_id = ANY($1)',
      [[user.id, invited.id, disabled.id]],
    );
    expect(rows).toEqual([{ user_id: user.id }]);
    expect((await mailbox.next(user.email!)).subject).toContain('new password');
  });

  it('answers not_configured without a mail server', async () => {
    const app = await IdentityApp.create({ database: identity.database, env: { TRUSTED_PROXIES: 'loopback' } });
    try {
      for (const email of [user.email, 'nobody@example.org']) {
        const response = await forget(email, { app });
        expect(response.status).toBe(503);
        expect(response.body.data.error.code).toBe('not_configured');
      }
    } finally {
      await app.close();
    }
  });

  it.each(['known', 'unknown'])('accepts five requests per hour for a %s account, from any address', async (kind) => {
    const email = kind === 'known' ? user.email : 'stranger@example.org';
    for (let i = 0; i < 5; i++) expect((await forget(email)).status).toBe(200);
    const refused = await forget(email);
    expect(refused.status).toBe(429);
    expect(refused.headers['x-ratelimit-limit']).toBe('5');
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3500);
  });

  it('accepts twenty requests per hour from an address, including those of logged-in users', async () => {
    const from = anAddress();
    const id = await identity.aSession(user.id);
    for (let i = 0; i < 20; i++) {
      const request = forget(`a${String(i)}@example.net`, { from });
      expect((await (i % 2 === 0 ? request : request.set('X-Session-Id', id))).status).toBe(200);
    }
    expect((await forget('b@example.net', { from })).status).toBe(429);
    expect((await forget('b@example.net', { from }).set('X-Session-Id', id)).status).toBe(429);
    expect((await forget('b@example.net')).status).toBe(200);
  });
});

describe('POST /login/resetpassword', () => {
  it('sets the password, ends all sessions and known clients, mails a notice, and starts no session', async () => {
    const client = (await login(PASSWORD)).body.data.client_id as string;
    const sessions = [await identity.aSession(user.id), await identity.aSession(user.id)];
    const stranger = await identity.aSession((await identity.aUser(orgId)).id);
    const response = await reset(await aToken());
    expect(response.status).toBe(200);
    expect(response.body.data).toEqual({ message: 'OK' });
    expect(cookiesOf(response)).toEqual([]);
    for (const id of sessions) expect(await identity.get(SessionService).find(id)).toBe('ended');
    expect(await identity.get(SessionService).find(stranger)).toMatchObject({ kind: 'user' });
    expect((await login(PASSWORD)).status).toBe(401);
    const welcome = await login(NEW_PASSWORD).set('X-Client-Id', client);
    expect(welcome.status).toBe(200);
    expect(welcome.body.data.client_id).not.toBe(client);
    const notice = await mailbox.next(user.email!);
    expect(notice.subject).toContain('was changed');
    expect(notice.text).toContain('203.0.113.');
    expect(notice.text).not.toContain(NEW_PASSWORD);
  });

  it('is recorded in the audit trail without the password', async () => {
    await reset(await aToken(), NEW_PASSWORD, { from: '::ffff:198.51.100.7' });
    const rows: unknown[] = await identity.database.dataSource.query(
      'SELECT actor_type, actor_user_id, object_id, ip, audit_entry::text AS row FROM audit_entry WHERE action = $1 AND org_id = $2 AND object_id = $3',
      ['user.password_reset', orgId, String(user.id)],
    );
    expect(rows).toEqual([
      expect.objectContaining({
        actor_type: 'user',
        actor_user_id: user.id,
        object_id: String(user.id),
        ip: '198.51.100.7',
      }),
    ]);
    expect(JSON.stringify(rows)).not.toMatch(/different one|argon2/);
    expect((await mailbox.next(user.email!)).text).toMatch(/Network address:? +198\.51\.100\.7$/m);
  });

  it('accepts a link once, even in concurrent requests', async () => {
    const token = await aToken();
    const both = await Promise.all([reset(token), reset(token)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 410]);
    expect((await reset(token)).status).toBe(410);
  });

  it('answers the same for unknown, used, replaced and expired tokens, and for disabled users', async () => {
    const used = await aToken();
    await reset(used);
    const replaced = await aToken();
    const current = await aToken();
    const answers = [await reset('x'.repeat(43)), await reset(used), await reset(replaced)];
    await identity.database.dataSource.query("UPDATE user_account SET state = 'disabled' WHERE id = $1", [user.id]);
    answers.push(await reset(current));
    await identity.database.dataSource.query("UPDATE user_account SET state = 'active' WHERE id = $1", [user.id]);
    identity.clock.seconds = START + HOUR;
    answers.push(await reset(current));
    for (const { status, body } of answers) {
      expect(status).toBe(410);
      expect(body.data.error.code).toBe('expired');
      expect(body.data).toEqual(answers[0]!.body.data);
    }
    identity.clock.seconds = START + HOUR - 1;
    expect((await reset(current)).status).toBe(200);
  });

  it('keeps the link valid when the new password is rejected', async () => {
    const token = await aToken();
    const weak = await reset(token, user.email!);
    expect(weak.status).toBe(400);
    expect(weak.body.data.error.details).toMatchObject([{ field: 'new_password_1', code: 'weak_password' }]);
    expect((await reset(token)).status).toBe(200);
  });

  it.each([
    [twice('PassWord1234'), [['new_password_1', 'weak_password']]],
    [twice('short'), [['new_password_1', 'too_short']]],
    [{ new_password_1: NEW_PASSWORD, new_password_2: PASSWORD }, [['new_password_2', 'mismatch']]],
    [{ new_password_1: NEW_PASSWORD }, [['new_password_2', 'required']]],
  ])('rejects %j', async (body, wanted) => {
    const { status, body: answer } = await post('/login/resetpassword', { token: 'x', ...body });
    expect(status).toBe(400);
    const details = answer.data.error.details as { field: string; code: string }[];
    expect(details.map(({ field, code }) => [field, code])).toEqual(wanted);
  });

  it('rejects a password in the address', async () => {
    const response = await identity
      .http()
      .post('/api/login/resetpassword')
      .query(twice(NEW_PASSWORD))
      .send({ token: 'x' });
    expect(response.body.data.error.details).toMatchObject([
      { field: 'new_password_1', code: 'body_only' },
      { field: 'new_password_2', code: 'body_only' },
    ]);
  });

  it('unlocks an account that was locked by wrong passwords', async () => {
    for (let i = 0; i < 10; i++) await login('a wrong password');
    expect((await login(PASSWORD)).status).toBe(429);
    await reset(await aToken());
    expect((await login(NEW_PASSWORD)).status).toBe(200);
  });

  it('accepts twenty requests per hour from an address', async () => {
    const from = anAddress();
    for (let i = 0; i < 20; i++) expect((await reset('x', NEW_PASSWORD, { from })).status).toBe(410);
    expect((await reset(await aToken(), NEW_PASSWORD, { from })).status).toBe(429);
  });
});

describe('a change of the password', () => {
  const change = (id: string, body: object, form: 'new' | 'old' = 'new') =>
    (form === 'new' ? identity.http().put('/api/user/password') : identity.http().post('/api/user/updatepassword'))
      .set('X-Session-Id', id)
      .set('X-Forwarded-For', anAddress())
      .send(body);
  const right = { old_password: PASSWORD, ...twice(NEW_PASSWORD) };

  it.each(['new', 'old'] as const)('in the %s form ends all sessions and starts a new one', async (form) => {
    const id = await identity.aSession(user.id);
    const other = await identity.aSession(user.id);
    const link = await aToken();
    const response = await change(id, right, form);
    expect(response.status).toBe(200);
    expect(response.body.data).toEqual({ message: 'OK' });
    const renewed = response.body.status.session_id as string;
    expect(cookiesOf(response)).toEqual([expect.stringContaining(`session_id=${renewed}; `)]);
    const sessions = identity.get(SessionService);
    expect(await sessions.find(renewed)).toMatchObject({ userId: user.id });
    expect(await sessions.find(id)).toBe('ended');
    expect(await sessions.find(other)).toBe('ended');
    expect((await login(PASSWORD)).status).toBe(401);
    expect((await login(NEW_PASSWORD)).status).toBe(200);
    expect((await reset(link)).status).toBe(410);
    expect(response.headers.deprecation).toBe(form === 'old' ? 'true' : undefined);
    if (form === 'old') {
      expect(response.headers.link).toBe(`<${ORIGIN}/api/user/password>; rel="successor-version"`);
    }
    expect((await mailbox.next(user.email!)).subject).toContain('was changed');
    const audited: unknown[] = await identity.database.dataSource.query(
      "SELECT 1 FROM audit_entry WHERE action = 'user.password_change' AND actor_user_id = $1",
      [user.id],
    );
    expect(audited).toHaveLength(1);
  });

  it('requires the old password, and counts its failures separately from those of logins', async () => {
    const id = await identity.aSession(user.id);
    for (let i = 0; i < 10; i++) {
      const wrong = await change(id, { ...right, old_password: 'a wrong password' });
      expect(wrong.status).toBe(401);
      expect(wrong.body.data.error.code).toBe('login_failed');
    }
    expect((await change(id, right)).status).toBe(429);
    // Even a stolen session cannot lock the account.
    expect((await login(PASSWORD)).status).toBe(200);
    expect(await identity.get(SessionService).find(id)).toMatchObject({ userId: user.id });
  });

  it('reports all problems with the new password', async () => {
    const id = await identity.aSession(user.id);
    const answers = [
      await change(id, { ...right, new_password_2: PASSWORD }),
      await change(id, { ...right, ...twice(user.email!) }),
      await change(id, { ...right, ...twice('short') }),
      await change(id, { ...right, new_password_1: 'short' }),
      await change(id, { ...right, new_password_1: user.email!, old_password: '' }),
    ];
    expect(
      answers.map(({ body }) =>
        (body.data.error.details as { field: string; code: string }[]).map(({ field, code }) => `${field} ${code}`),
      ),
    ).toEqual([
      ['new_password_2 mismatch'],
      ['new_password_1 weak_password'],
      ['new_password_1 too_short'],
      ['new_password_1 too_short', 'new_password_2 mismatch'],
      ['old_password required', 'new_password_2 mismatch', 'new_password_1 weak_password'],
    ]);
    expect((await login(PASSWORD)).status).toBe(200);
  });

  it('requires a session, and rejects tokens and demo users', async () => {
    const token = await identity.aToken(orgId);
    const byToken = await identity.http().put('/api/user/password').set('X-Auth-Token', token).send(right);
    expect(byToken.body.data.error.code).toBe('session_required');
    await identity.database.dataSource.query('UPDATE user_account SET demo = true WHERE id = $1', [user.id]);
    const byVisitor = await change(await identity.aSession(user.id), right);
    expect(byVisitor.body.data.error.code).toBe('demo_account');
  });
});

function cookiesOf(response: { headers: Record<string, unknown> }): string[] {
  return (response.headers['set-cookie'] ?? []) as string[];
}
