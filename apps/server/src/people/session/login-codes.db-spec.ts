import { START } from '../../../../../test/support/hand-clock.js';
import { IdentityApp, PASSWORD } from '../../../../../test/support/identity-app.js';
import { Mailbox } from '../../../../../test/support/mailbox.js';
import { Secrets } from '../../common/secrets/secrets.js';
import { type User } from '../user/user.types.js';
import { AfterAnswerService } from './login-limiter.js';
import { SessionService } from './session.service.js';

const ORIGIN = 'https://plumbline.example.org';
const MINUTE = 60;
const DAY = 86_400;

let mailbox: Mailbox;
let identity: IdentityApp;
let orgId: number;
let user: User;

beforeAll(async () => {
  mailbox = await Mailbox.start();
  identity = await IdentityApp.create({ env: { TRUSTED_PROXIES: 'loopback', ...mailbox.env } });
  orgId = (await identity.anOrg({ name: 'Example Ltd', timezone: 'Europe/Oslo' })).id;
});
afterAll(async () => {
  await identity.close();
  await mailbox.close();
});
beforeEach(async () => {
  identity.clock.seconds = START;
  mailbox.refuse = undefined;
  user = await identity.aUser(orgId, { name: 'Ann' });
});

let address = 0;
const anAddress = (): string => `198.51.100.${String(++address)}`;

function post(path: string, body: object, { app = identity, from = anAddress() } = {}) {
  return app.http().post(`/api${path}`).set('X-Forwarded-For', from).send(body);
}

const login = (who = user, options = {}) => post('/login', { email: who.email, password: PASSWORD }, options);

function cookiesOf(response: { headers: Record<string, unknown> }): string[] {
  return (response.headers['set-cookie'] ?? []) as string[];
}

/** Logs in and reads the mail with the code. */
async function begin(who = user) {
  const response = await login(who);
  expect(response.status).toBe(200);
  const mail = await mailbox.next(who.email!);
  const link = new URL(/https:\S+validate\?\S+/.exec(mail.text!)![0]);
  return {
    response,
    mail,
    pending: response.body.status.session_id as string,
    code: link.searchParams.get('code')!,
    token: link.searchParams.get('token')!,
  };
}

const wrongFor = (code: string): string => String((Number(code) + 1) % 1_000_000).padStart(6, '0');

async function ageCounts(): Promise<void> {
  await identity.database.dataSource.query('UPDATE attempt_count SET expire = expire - 900000');
}

describe('a login from an unknown client', () => {
  it('mails a code and returns a session without access', async () => {
    const { response, mail, pending, code, token } = await begin();
    expect(response.body.data).toEqual({
      validation_required: true,
      session: null,
      client_id: null,
      validation: { expires_timestamp: START + 10 * MINUTE, sent_to: 'u**@example.org' },
      message: 'OK',
    });
    expect(cookiesOf(response)).toEqual([expect.stringMatching(new RegExp(`^session_id=${pending}; Max-Age=600; `))]);
    expect(response.body.status.timezone.timezone).toBe('UTC');
    expect(code).toMatch(/^[0-9]{6}$/);
    expect(token).toMatch(/^[\w-]{43}$/);
    expect(mail.subject).toContain(code);
    expect(mail.text).toContain(`${ORIGIN}/login/validate?code=${code}&token=${token}`);
    expect(mail.text).toContain('(CEST)');
    expect(mail.text).toContain('198.51.100.');
    expect(mail.html).toContain(code);
    const denied = await identity.http().get('/api/user/info').set('X-Session-Id', pending);
    expect(denied.status).toBe(401);
    expect(denied.body.data.error.code).toBe('not_authenticated');
  });

  it('stores neither code, token nor session id in clear', async () => {
    const { pending, code, token } = await begin();
    const rows: unknown = await identity.database.dataSource.query(
      `SELECT s::text || l::text AS row FROM session s JOIN account_link l USING (user_id) WHERE user_id = $1`,
      [user.id],
    );
    expect(rows).toHaveLength(1);
    for (const secret of [pending, token]) expect(JSON.stringify(rows)).not.toContain(secret);
    const sealed: { token_hash: Buffer; payload_sealed: string }[] = await identity.database.dataSource.query(
      'SELECT token_hash, payload_sealed FROM account_link WHERE user_id = $1',
      [user.id],
    );
    // Database and key together do not reveal the code either: a hash of it is sealed.
    const row = `account link/${sealed[0]!.token_hash.toString('hex')}`;
    const kept = identity.get(Secrets).open('account link', row, sealed[0]!.payload_sealed);
    expect(kept).toMatch(/^[\w-]{43}$/);
    expect(sealed[0]!.payload_sealed + kept).not.toContain(code);
  });

  it('ends the previous session', async () => {
    const before = await identity.aSession(user.id);
    await login().set('X-Session-Id', before);
    expect(await identity.get(SessionService).find(before)).toBe('ended');
  });

  it('needs no code for 180 days after a validation', async () => {
    const { pending, code } = await begin();
    const validated = await post('/login/validateclient', { code }).set('X-Session-Id', pending);
    const clientId = validated.body.data.client_id as string;
    const again = await login().set('Cookie', `client_id=${clientId}`);
    expect(again.body.data).toMatchObject({ validation_required: false, client_id: clientId, validation: null });
    identity.clock.seconds = START + 180 * DAY;
    const later = await login().set('X-Client-Id', clientId);
    expect(later.body.data.validation_required).toBe(true);
  });

  it('mails no code for a wrong password', async () => {
    const count = mailbox.tries;
    const response = await post('/login', { email: user.email, password: 'a wrong password' });
    expect(response.status).toBe(401);
    expect(mailbox.tries).toBe(count);
  });

  it('fails when the mail server is down, and changes no session or link', async () => {
    mailbox.refuse = 451;
    const before = await identity.aSession(user.id);
    const response = await login().set('X-Session-Id', before);
    expect(response.status).toBe(503);
    expect(response.body.data.error.code).toBe('not_configured');
    expect(cookiesOf(response)).toEqual([]);
    expect(await identity.get(SessionService).find(before)).toMatchObject({ userId: user.id });
    const live: unknown = await identity.database.dataSource.query(
      `SELECT 1 FROM session WHERE user_id = $1 AND kind = 'pending' AND ended_at IS NULL
       UNION ALL SELECT 1 FROM account_link WHERE user_id = $1 AND used_at IS NULL`,
      [user.id],
    );
    expect(live).toEqual([]);
  });

  it('mails at most ten codes in a quarter of an hour', async () => {
    for (let i = 0; i < 10; i++) expect((await login()).status).toBe(200);
    const refused = await login();
    expect(refused.status).toBe(429);
    expect(refused.headers['x-ratelimit-limit']).toBe('10');
    await ageCounts();
    expect((await login()).status).toBe(200);
  });

  it('needs no code for the first administrator, to whom nothing can be mailed', async () => {
    const first = await identity.aUser(orgId, { email: 'admin@plumbline.local' });
    const answer = await login(first);
    expect(answer.body.data).toMatchObject({ validation_required: false, session: { user: { id: first.id } } });
  });

  it('needs no code with LOGIN_CODE=off', async () => {
    const env = { TRUSTED_PROXIES: 'loopback', LOGIN_CODE: 'off', ...mailbox.env };
    const app = await IdentityApp.create({ database: identity.database, env });
    try {
      expect((await login(user, { app })).body.data).toMatchObject({ validation_required: false });
    } finally {
      await app.close();
    }
  });
});

describe('the login code', () => {
  it.each(['post', 'get'] as const)('starts a new session by %s, and makes the client known', async (method) => {
    const { pending, code } = await begin();
    const request = identity.http()[method]('/api/login/validateclient').set('X-Session-Id', pending);
    const response = await (method === 'get' ? request.query({ code }) : request.send({ code }));
    expect(response.status).toBe(200);
    const { session, client_id: clientId, message } = response.body.data;
    expect(message).toBe('OK');
    expect(session.id).toMatch(/^[0-9a-f]{32}$/);
    expect(session.id).not.toBe(pending);
    expect(session.user).toMatchObject({ id: user.id, email: user.email, last_login_timestamp: START });
    expect(clientId).toMatch(/^[\w-]{43}$/);
    expect(response.body.status.session_id).toBe(session.id);
    expect(response.body.status.timezone.timezone).toBe('Europe/Oslo');
    const [sessionCookie, clientCookie] = cookiesOf(response);
    expect(sessionCookie).toContain(`session_id=${session.id as string}; Max-Age=${String(7 * DAY)}`);
    expect(clientCookie).toContain(`client_id=${clientId as string}; Max-Age=${String(180 * DAY)}`);
    expect(await identity.get(SessionService).find(session.id)).toMatchObject({ userId: user.id });
    expect(await identity.get(SessionService).findPending(pending)).toBe('ended');
    expect(response.headers.deprecation).toBe(method === 'get' ? 'true' : undefined);
    if (method === 'get') {
      expect(response.headers.link).toBe(`<${ORIGIN}/api/login/validateclient>; rel="successor-version"`);
    }
  });

  it('is valid with the token of the mail from any client', async () => {
    const { pending, code, token } = await begin();
    const response = await post('/login/validateclient', { code, token });
    expect(response.status).toBe(200);
    expect(response.body.data.session.user.id).toBe(user.id);
    // The browser in which the login began does not get access by that.
    expect(await identity.get(SessionService).findPending(pending)).toBe('ended');
  });

  it('is valid only once, even in concurrent requests', async () => {
    const { pending, code } = await begin();
    const both = await Promise.all(
      [1, 2].map(() => post('/login/validateclient', { code }).set('X-Session-Id', pending)),
    );
    expect(both.map(({ status }) => status).sort()).toEqual([200, 410]);
    const late = await post('/login/validateclient', { code }).set('X-Session-Id', pending);
    expect(late.status).toBe(410);
    expect(late.body.data.error.code).toBe('expired');
  });

  it('expires after ten minutes', async () => {
    const [own, linked] = [await begin(), await begin(await identity.aUser(orgId))];
    identity.clock.seconds = START + 10 * MINUTE;
    const answers = [
      await post('/login/validateclient', { code: own.code }).set('X-Session-Id', own.pending),
      await post('/login/validateclient', { code: linked.code, token: linked.token }),
    ];
    for (const { status, body } of answers) {
      expect(status).toBe(410);
      expect(body.data.error.code).toBe('expired');
    }
  });

  it('is invalid after five wrong codes', async () => {
    const { pending, code } = await begin();
    for (let i = 0; i < 5; i++) {
      const wrong = await post('/login/validateclient', { code: wrongFor(code) }).set('X-Session-Id', pending);
      expect(wrong.status).toBe(401);
      expect(wrong.body.data.error.code).toBe('code_invalid');
    }
    const right = await post('/login/validateclient', { code }).set('X-Session-Id', pending);
    expect(right.status).toBe(410);
    expect(await identity.get(SessionService).findPending(pending)).toBe(user.id);
  });

  it('is invalid once a newer one is sent', async () => {
    const first = await begin();
    const second = await begin();
    expect((await post('/login/validateclient', { code: first.code }).set('X-Session-Id', first.pending)).status).toBe(
      410,
    );
    expect((await post('/login/validateclient', { code: first.code, token: first.token })).status).toBe(410);
    expect(
      (await post('/login/validateclient', { code: second.code }).set('X-Session-Id', second.pending)).status,
    ).toBe(200);
  });

  it('is invalid once the user is disabled', async () => {
    const { pending, code } = await begin();
    await identity.database.dataSource.query("UPDATE user_account SET state = 'disabled' WHERE id = $1", [user.id]);
    expect((await post('/login/validateclient', { code }).set('X-Session-Id', pending)).status).toBe(410);
  });

  it('gets the same answer with an unknown token as with a used one', async () => {
    const { code, token } = await begin();
    await post('/login/validateclient', { code, token });
    const [used, invented] = [
      await post('/login/validateclient', { code, token }),
      await post('/login/validateclient', { code, token: 'x'.repeat(43) }),
    ];
    expect(used.status).toBe(410);
    expect(invented.body.data).toEqual(used.body.data);
  });

  it('requires the pending session or the token of the link', async () => {
    const { code } = await begin();
    const full = await identity.aSession(user.id);
    for (const id of [undefined, 'f'.repeat(32), 'no id', full]) {
      const request = post('/login/validateclient', { code });
      const response = await (id === undefined ? request : request.set('X-Session-Id', id));
      expect(response.status).toBe(401);
      expect(response.body.data.error.code).toBe('not_authenticated');
      expect(response.body.data.message).toContain('link');
    }
  });

  it('is rejected with the session cookie from another site', async () => {
    const { pending, code } = await begin();
    const byCookie = () => post('/login/validateclient', { code }).set('Cookie', `session_id=${pending}`);
    const refused = [await byCookie(), await byCookie().set('Origin', 'https://evil.example.net')];
    for (const { status, body } of refused) {
      expect(status).toBe(403);
      expect(body.data.error.code).toBe('cross_site_refused');
    }
    expect((await byCookie().set('Origin', ORIGIN)).status).toBe(200);
  });

  it.each([
    [{}, 'required'],
    [{ code: '12345' }, 'bad_format'],
    [{ code: '12345a' }, 'bad_format'],
    [{ code: '1234567' }, 'too_long'],
  ])('is not counted as a failure when a parameter is invalid: %j', async (body, detail) => {
    const { pending, code } = await begin();
    const response = await post('/login/validateclient', body).set('X-Session-Id', pending);
    expect(response.status).toBe(400);
    expect(response.body.data.error.details).toMatchObject([{ field: 'code', code: detail }]);
    expect((await post('/login/validateclient', { code }).set('X-Session-Id', pending)).status).toBe(200);
  });

  it('counts as a failed login of the account when it is wrong, in all processes', async () => {
    for (let round = 0; round < 2; round++) {
      const { pending, code } = await begin();
      for (let i = 0; i < 5; i++) {
        await post('/login/validateclient', { code: wrongFor(code) }).set('X-Session-Id', pending);
      }
    }
    const env = { TRUSTED_PROXIES: 'loopback', ...mailbox.env };
    const other = await IdentityApp.create({ database: identity.database, env });
    try {
      expect((await login(user, { app: other })).status).toBe(429);
    } finally {
      await other.close();
    }
    const entries = await lockEntries();
    expect(entries).toEqual([
      { action: 'login.locked', object_type: 'user', object_id: String(user.id), object_name: user.email },
    ]);
  });
});

async function lockEntries(): Promise<unknown> {
  await identity.get(AfterAnswerService).settled();
  return identity.database.dataSource.query(
    `SELECT action, object_type, object_id, object_name FROM audit_entry
      WHERE action = 'login.locked' AND object_id = $1`,
    [String(user.id)],
  );
}
