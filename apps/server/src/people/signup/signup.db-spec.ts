import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { HandClock } from '../../../../../test/support/hand-clock.js';
import { IdentityApp, PASSWORD } from '../../../../../test/support/identity-app.js';
import { Mailbox } from '../../../../../test/support/mailbox.js';
import { parameterOf, People } from '../../../../../test/support/people.js';

const DAY = 86_400;

let mailbox: Mailbox;
let identity: IdentityApp;
let people: People;
let count = 0;

beforeAll(async () => {
  mailbox = await Mailbox.start();
  identity = await IdentityApp.create({
    env: { ...mailbox.env, SIGNUP_MODE: 'open', LOGIN_CODE: 'off', PLUMBLINE_LIMIT_SIGNUP_ADDRESS: '100000' },
  });
  people = new People(identity);
});
afterAll(async () => {
  await identity.close();
  await mailbox.close();
});

function form(overrides: object = {}): { email: string; [name: string]: unknown } {
  const email = `signup${String(++count)}@example.org`;
  return { email, user_name: 'Ann', org_name: 'Example Ltd', timezone: 'Europe/Oslo', ...overrides };
}

const signUp = (body: object): ReturnType<People['call']> => people.call('post', '/signup/selfserve', undefined, body);
const verify = (email: string, token: string, more: object = {}): ReturnType<People['call']> =>
  people.call('post', '/signup/verify', undefined, {
    email,
    verification_token: token,
    password_1: PASSWORD,
    password_2: PASSWORD,
    ...more,
  });

async function wipeAt(orgId: number): Promise<number | null> {
  const [row] = await identity.database.dataSource.query<{ at: number | null }[]>(
    'SELECT extract(epoch FROM wipe_at)::integer AS at FROM org WHERE id = $1',
    [orgId],
  );
  return row?.at ?? null;
}

describe('POST /signup/selfserve', () => {
  it('creates an organisation whose administrator joins with the mailed link', async () => {
    const body = form();
    const answer = await signUp(body);
    expect(answer.data).toMatchObject({
      user: {
        email: body.email,
        name: 'Ann',
        admin: true,
        state: 'invited',
        org: { name: 'Example Ltd', timezone: 'Europe/Oslo' },
      },
      verification_sent: true,
    });
    const orgId: number = answer.data.user.org_id;
    expect(await wipeAt(orgId)).toBe(identity.clock.seconds + 49 * 3600);
    const mail = await mailbox.next(body.email);
    // Strangers choose the recipient of this mail, so they must not choose its text.
    expect(mail.text).not.toContain('Example Ltd');
    const token = parameterOf(mail.text, 'token');
    expect(token).toMatch(/^[0-9a-f]{32}$/);
    expect(mail.text).toContain(`Token: ${token}`);

    const joined = await verify(body.email.toUpperCase(), token);
    expect(joined.data.session).toMatchObject({ id: joined.sessionId, user: { state: 'active', email: body.email } });
    expect(joined.headers['set-cookie']).toEqual([
      expect.stringContaining(`session_id=${joined.sessionId}`),
      expect.stringContaining('client_id='),
    ]);
    expect(await wipeAt(orgId)).toBeNull();
    const info = await people.call('get', '/org/info', joined.sessionId);
    expect(info.data.alert_recipients).toMatchObject({
      email: [{ name: 'Ann' }],
      admin_email: [{ name: 'Ann' }],
      sms: [],
    });
    const login = await people.call('post', '/login', undefined, { email: body.email, password: PASSWORD });
    expect(login.status).toBe(200);
    expect(await people.events(orgId)).toEqual([['user_joined', 'Ann joined.']]);
    expect((await people.audit(orgId)).map(([action]) => action)).toEqual([
      'org.create',
      'user.join',
      'login.password',
    ]);
  });

  it('accepts a form', async () => {
    const answer = await identity
      .http()
      .post('/api/signup/selfserve')
      .type('form')
      .send(form({ test_data: 'true' }));
    expect(answer.body.data.verification_sent).toBe(true);
  });

  it('marks a trial organisation for deletion after 30 days', async () => {
    const body = form({ test_data: true });
    const orgId: number = (await signUp(body)).data.user.org_id;
    await verify(body.email, parameterOf((await mailbox.next(body.email)).text, 'token'));
    expect(await wipeAt(orgId)).toBe(identity.clock.seconds + 30 * DAY);
  });

  it('reports all problems together', async () => {
    const answer = await signUp({
      email: 'nobody',
      user_name: '',
      org_name: 'x'.repeat(101),
      timezone: 'Mars/Base',
      plan: 'x',
    });
    expect(answer.fields).toEqual(
      expect.arrayContaining([
        ['email', 'bad_format'],
        ['user_name', 'required'],
        ['org_name', 'too_long'],
        ['timezone', 'unknown_timezone'],
        ['plan', 'unknown_parameter'],
      ]),
    );
  });

  it('rejects an address that is taken, and creates nothing', async () => {
    const body = form();
    await signUp(body);
    const orgs = async (): Promise<unknown> => identity.database.dataSource.query('SELECT count(*) FROM org');
    const before = await orgs();
    const answer = await signUp({ ...body, email: body.email.toUpperCase() });
    expect([answer.status, answer.code]).toEqual([409, 'email_taken']);
    expect(await orgs()).toEqual(before);
  });
});

describe('POST /signup/verify', () => {
  let body: { email: string };
  let token: string;
  beforeEach(async () => {
    body = form();
    await signUp(body);
    token = parameterOf((await mailbox.next(body.email)).text, 'token');
  });

  it('distinguishes wrong tokens and addresses from used links', async () => {
    expect((await verify(body.email, '0'.repeat(32))).code).toBe('verification_failed');
    // A wrong address does not use up the link.
    expect((await verify('somebody@example.org', token)).code).toBe('verification_failed');
    expect((await verify(body.email, token)).status).toBe(200);
    const again = await verify(body.email, token);
    expect([again.status, again.code]).toEqual([410, 'expired']);
  });

  it('rejects a link after 48 hours', async () => {
    const before = identity.clock.seconds;
    identity.clock.seconds += 2 * DAY;
    expect((await verify(body.email, token)).code).toBe('expired');
    identity.clock.seconds = before;
  });

  it.each([
    [{ password_2: 'another password' }, [['password_2', 'mismatch']]],
    [{ password_1: 'short', password_2: 'short' }, [['password_1', 'too_short']]],
    [{ password_1: 'password1234', password_2: 'password1234' }, [['password_1', 'weak_password']]],
  ])('rejects %j and keeps the link valid', async (passwords, fields) => {
    expect((await verify(body.email, token, passwords)).fields).toEqual(fields);
    expect((await verify(body.email, token)).status).toBe(200);
  });

  it('rejects the address as password', async () => {
    const answer = await verify(body.email, token, {
      password_1: body.email.toUpperCase(),
      password_2: body.email.toUpperCase(),
    });
    expect(answer.fields).toEqual([['password_1', 'weak_password']]);
  });

  it('accepts one of several concurrent requests', async () => {
    const answers = await Promise.all([1, 2, 3, 4].map(() => verify(body.email, token)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 410, 410, 410]);
  });

  it('ends the previous session of the client', async () => {
    const ann = await people.admin((await identity.anOrg()).id);
    const answer = await identity
      .http()
      .post('/api/signup/verify')
      .set('X-Session-Id', ann.session)
      .send({ email: body.email, verification_token: token, password_1: PASSWORD, password_2: PASSWORD });
    expect(answer.body.data.session.user.email).toBe(body.email);
    expect((await people.call('get', '/user/info', ann.session)).code).toBe('session_expired');
  });
});

describe('SIGNUP_MODE', () => {
  it('closed rejects every sign-up', async () => {
    const closed = await IdentityApp.create({ env: { SIGNUP_MODE: 'closed' } });
    const answer = await closed.http().post('/api/signup/selfserve').send(form());
    expect([answer.status, answer.body.data.error.code]).toEqual([403, 'signup_closed']);
    await closed.close();
  });

  it('first, the default, accepts one sign-up, and logs its link without mail', async () => {
    const lines: string[] = [];
    const log = jest.spyOn(Logger.prototype, 'log').mockImplementation((line: string) => void lines.push(line));
    const clock = new HandClock();
    const first = await IdentityApp.create({ clock });
    const attempts = await Promise.all([1, 2, 3].map(() => first.http().post('/api/signup/selfserve').send(form())));
    expect(attempts.map(({ status }) => status).sort()).toEqual([200, 403, 403]);
    const created = attempts.find(({ status }) => status === 200)!.body.data;
    expect(created.verification_sent).toBe(false);
    const line = lines.find((text) => text.includes('No mail can be sent'));
    log.mockRestore();
    const answer = await first
      .http()
      .post('/api/signup/verify')
      .send({
        email: created.user.email,
        verification_token: parameterOf(line, 'token'),
        password_1: PASSWORD,
        password_2: PASSWORD,
      });
    expect(answer.status).toBe(200);
    await first.close();
  });

  it('first ignores the demo organisation and deleted organisations', async () => {
    const first = await IdentityApp.create();
    const demo = await first.anOrg({ isDemo: true });
    const { dataSource } = first.database;
    await dataSource.query(
      "INSERT INTO demo_org (org_id, theme, seed, reset_at) VALUES ($1, 'web-shop', '{}', now())",
      [demo.id],
    );
    const gone = await first.anOrg();
    const attempt = async () => (await first.http().post('/api/signup/selfserve').send(form())).status;
    expect(await attempt()).toBe(403);
    await dataSource.query('UPDATE org SET deleted_at = now() WHERE id = $1', [gone.id]);
    expect(await attempt()).toBe(200);
    expect(await attempt()).toBe(403);
    await first.close();
  });

  it('limits verifications to ten per hour and address', async () => {
    const limited = await IdentityApp.create({ env: { SIGNUP_MODE: 'open' } });
    const codes: number[] = [];
    for (let i = 0; i < 11; i++) {
      codes.push((await limited.http().post('/api/signup/verify').send({ email: 'x' })).status);
    }
    expect(codes).toEqual([...Array<number>(10).fill(400), 429]);
    await limited.close();
  });
});
