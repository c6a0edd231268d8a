import { Permission } from '#libs/contracts';
import { IdentityApp, PASSWORD } from '../../../../../test/support/identity-app.js';
import { Mailbox } from '../../../../../test/support/mailbox.js';
import { RateLimits } from '../../common/http/rate-limits.js';
import { INVITATIONS_DAY } from './mailed-addresses.service.js';
import { parameterOf, People, type Person } from '../../../../../test/support/people.js';

let mailbox: Mailbox;
let identity: IdentityApp;
let people: People;
let orgId: number;
let ann: Person;

beforeAll(async () => {
  mailbox = await Mailbox.start();
  identity = await IdentityApp.create({
    env: { ...mailbox.env, LOGIN_CODE: 'off', PLUMBLINE_LIMIT_SIGNUP_ADDRESS: '1000' },
  });
  people = new People(identity);
});
afterAll(async () => {
  await identity.close();
  await mailbox.close();
});
beforeEach(async () => {
  mailbox.refuse = undefined;
  orgId = (await identity.anOrg()).id;
  ann = await people.admin(orgId);
});

const idsOf = (users: { id: number }[]): number[] => users.map(({ id }) => id);

describe('GET /org/users', () => {
  it('lists users by id, in pages and by state', async () => {
    const ben = await people.member(orgId);
    const invited = await people.call('post', '/org/users', ann.session, { email: 'list@example.org' });
    await people.member((await identity.anOrg()).id);
    const all = await people.call('get', '/org/users', ann.session);
    expect(idsOf(all.data.users)).toEqual([ann.user.id, ben.user.id, invited.data.user.id]);
    expect(all.data).toMatchObject({ total: 3, limit: 100, offset: 0 });
    const page = await people.call('get', '/org/users?limit=1&offset=1', ann.session);
    expect(idsOf(page.data.users)).toEqual([ben.user.id]);
    const some = await people.call('get', '/org/users?state=invited,disabled', ann.session);
    expect(some.data).toMatchObject({ total: 1, users: [{ state: 'invited', email: 'list@example.org' }] });
    expect((await people.call('get', '/org/users?state=gone', ann.session)).fields).toEqual([['state', 'not_one_of']]);
  });

  it('hides the contact data of others from users without administrator rights', async () => {
    const ben = await people.member(orgId);
    const hidden = { email: '', phone_number: null, chat_member_id: null, last_login_timestamp: null };
    const token = await identity.aToken(orgId, Permission.Read);
    expect((await people.call('get', '/org/users', ben.session)).data.users).toMatchObject([
      { name: 'Ann', ...hidden },
      { name: 'Ben', email: ben.user.email },
    ]);
    expect((await people.call('get', '/org/users', token)).data.users).toMatchObject([hidden, hidden]);
  });

  it('shows a demo user only that user', async () => {
    const visitor = await people.visitor(orgId);
    const { data } = await people.call('get', '/org/users', visitor.session);
    expect(data).toMatchObject({ total: 1, users: [{ id: visitor.user.id, demo: true }] });
    expect((await people.call('get', '/org/users?state=invited', visitor.session)).data).toMatchObject({ total: 0 });
  });
});

describe('limits on invitations of an organisation', () => {
  const invite = (session: string, email: string) => people.call('post', '/org/users', session, { email });

  it('allow 20 per hour including repeated ones, and do not affect other organisations', async () => {
    const first = await invite(ann.session, 'flood0@example.net');
    for (let i = 1; i < 19; i++) {
      expect((await invite(ann.session, `flood${String(i)}@example.net`)).status).toBe(200);
    }
    const again = await people.call('put', `/org/users/${String(first.data.user.id)}`, ann.session, {
      resend_invite: true,
    });
    expect(again.status).toBe(200);
    const refused = await invite(ann.session, 'flood20@example.net');
    expect([refused.status, refused.code]).toEqual([429, 'rate_limited']);
    expect(refused.headers['x-ratelimit-limit']).toBe('20');
    const listed = await people.call('get', '/org/users?state=invited', ann.session);
    expect(listed.data.total).toBe(19);

    const elsewhere = await people.admin((await identity.anOrg()).id);
    expect((await invite(elsewhere.session, 'elsewhere@example.net')).status).toBe(200);
  });

  it('allow 100 per day', async () => {
    await identity.get(RateLimits).consume(INVITATIONS_DAY, String(orgId), 100);
    const refused = await invite(ann.session, 'daily@example.net');
    expect([refused.status, refused.headers['x-ratelimit-limit']]).toEqual([429, '100']);
  });
});

describe('POST /org/users', () => {
  it('mails a link with which the invited user joins', async () => {
    const answer = await people.call('post', '/org/users', ann.session, {
      email: 'Cid@Example.org',
      name: 'Cid',
      admin: true,
    });
    expect(answer.status).toBe(200);
    expect(answer.data).toMatchObject({
      user: { email: 'Cid@Example.org', name: 'Cid', admin: true, state: 'invited', org_id: orgId },
      invite_sent: true,
      invite_url: null,
    });
    const mail = await mailbox.next('cid@example.org');
    expect(mail.subject).toBe('Invitation to Example Ltd');
    expect(mail.text).toContain('Ann invites you to Example Ltd');
    const token = parameterOf(mail.text, 'token');
    expect(token).toMatch(/^[0-9a-f]{32}$/);
    const joined = await people.call('post', '/signup/verify', undefined, {
      email: 'cid@example.org',
      verification_token: token,
      password_1: PASSWORD,
      password_2: PASSWORD,
    });
    expect(joined.data).toMatchObject({ session: { user: { id: answer.data.user.id, state: 'active', admin: true } } });
    expect(await people.events(orgId)).toEqual([
      ['user_invited', 'Cid was invited.'],
      ['user_joined', 'Cid joined.'],
    ]);
    expect(await people.audit(orgId)).toEqual([
      [
        'user.invite',
        'Ann',
        'Cid',
        [
          { field: 'email', before: null, after: 'Cid@Example.org' },
          { field: 'name', before: null, after: 'Cid' },
          { field: 'admin', before: null, after: true },
        ],
      ],
      ['user.join', 'Cid', 'Cid', []],
    ]);
  });

  it('sends at most ten mails per hour to an address, over all senders', async () => {
    const { data } = await people.call('post', '/org/users', ann.session, { email: 'flooded@example.org' });
    const again = (): Promise<{ status: number }> =>
      people.call('put', `/org/users/${String(data.user.id)}`, ann.session, { resend_invite: true });
    for (let i = 1; i < 10; i++) expect((await again()).status).toBe(200);
    expect((await again()).status).toBe(429);
    const other = await people.admin((await identity.anOrg()).id);
    const change = { email: 'Flooded@example.org', password: PASSWORD };
    expect((await people.call('put', '/user', other.session, change)).status).toBe(429);
  });

  it('returns the link when the mail server rejects the mail', async () => {
    mailbox.refuse = 550;
    const { data } = await people.call('post', '/org/users', ann.session, { email: 'refused@example.org' });
    expect(data).toMatchObject({ invite_sent: false, user: { state: 'invited' } });
    expect(data.invite_url).toMatch(
      /^https:\/\/plumbline\.example\.org\/verify\?email=refused%40example\.org&token=[0-9a-f]{32}$/,
    );
  });

  it.each([
    [{}, [['email', 'required']]],
    [{ email: 'nobody' }, [['email', 'bad_format']]],
    [{ email: '"a,b"@example.org' }, [['email', 'bad_format']]],
    [
      { email: 'a@example.org', name: 'x'.repeat(101), admin: 'perhaps' },
      [
        ['name', 'too_long'],
        ['admin', 'not_boolean'],
      ],
    ],
    [{ email: 'a@example.org', state: 'active' }, [['state', 'unknown_parameter']]],
  ])('rejects %j', async (body, fields) => {
    const answer = await people.call('post', '/org/users', ann.session, body);
    expect(answer.status).toBe(400);
    expect(answer.fields).toEqual(expect.arrayContaining(fields));
  });

  it('rejects an address that a user of any organisation has', async () => {
    const stranger = await people.member((await identity.anOrg()).id);
    const answer = await people.call('post', '/org/users', ann.session, { email: stranger.user.email?.toUpperCase() });
    expect([answer.status, answer.code]).toEqual([409, 'email_taken']);
  });

  it('rejects more than 500 users, also with concurrent requests', async () => {
    await identity.database.dataSource.query(
      `INSERT INTO user_account (org_id, email, state) SELECT $1::integer, 'many' || i || '.' || $1::integer || '@example.org', 'invited' FROM generate_series(1, 498) i`,
      [orgId],
    );
    const answers = await Promise.all(
      [1, 2, 3].map((i) => people.call('post', '/org/users', ann.session, { email: `last${String(i)}@example.org` })),
    );
    expect(answers.map(({ status, code }) => code ?? status).sort()).toEqual([200, 'limit_reached', 'limit_reached']);
  });

  it('rejects users without administrator rights', async () => {
    const ben = await people.member(orgId);
    const answer = await people.call('post', '/org/users', ben.session, { email: 'x@example.org' });
    expect([answer.code, answer.fields]).toEqual(['permission_denied', [['permission', 'missing']]]);
  });
});

describe('PUT /org/users/{user_id}', () => {
  const change = (userId: number, body: object, by = ann): ReturnType<People['call']> =>
    people.call('put', `/org/users/${String(userId)}`, by.session, body);

  it('changes name and rights, with event and audit entry', async () => {
    const ben = await people.member(orgId);
    expect((await change(ben.user.id, { name: 'Benjamin', admin: true })).data).toMatchObject({
      user: { name: 'Benjamin', admin: true },
      invite_sent: false,
      invite_url: null,
    });
    // The repeated request changes nothing and records nothing.
    expect((await change(ben.user.id, { name: 'Benjamin', admin: true })).status).toBe(200);
    expect(await people.events(orgId)).toEqual([
      ['user_changed', 'Benjamin has another name and is an administrator.'],
    ]);
    expect(await people.audit(orgId)).toMatchObject([
      ['user.update', 'Ann', 'Benjamin', [{ field: 'name' }, { field: 'admin' }]],
    ]);
  });

  it('ends the sessions and login of a disabled user, and restores only the login when enabled', async () => {
    const ben = await people.member(orgId);
    expect((await change(ben.user.id, { state: 'disabled' })).data.user.state).toBe('disabled');
    expect((await people.call('get', '/user/info', ben.session)).code).toBe('session_expired');
    const login = { email: ben.user.email, password: PASSWORD };
    expect((await people.call('post', '/login', undefined, login)).code).toBe('login_failed');
    expect((await change(ben.user.id, { state: 'active' })).data.user.state).toBe('active');
    expect((await people.call('post', '/login', undefined, login)).status).toBe(200);
    expect((await people.call('get', '/user/info', ben.session)).code).toBe('session_expired');
    expect((await people.audit(orgId)).map(([action]) => action)).toEqual([
      'user.disable',
      'user.enable',
      'login.password',
    ]);
  });

  it('sends an invited user a new link, and invalidates the old one and that of a disabled user', async () => {
    const { data } = await people.call('post', '/org/users', ann.session, { email: 'again@example.org' });
    const first = parameterOf((await mailbox.next('again@example.org')).text, 'token');
    expect((await change(data.user.id, { resend_invite: true })).data.invite_sent).toBe(true);
    const second = parameterOf((await mailbox.next('again@example.org')).text, 'token');
    const verify = (token: string): ReturnType<People['call']> =>
      people.call('post', '/signup/verify', undefined, {
        email: 'again@example.org',
        verification_token: token,
        password_1: PASSWORD,
        password_2: PASSWORD,
      });
    expect((await verify(first)).code).toBe('expired');
    await change(data.user.id, { state: 'disabled' });
    expect((await verify(second)).code).toBe('expired');
    expect((await change(data.user.id, { state: 'active' })).data.user.state).toBe('invited');
    expect((await change(data.user.id, { state: 'active' })).code).toBe('state_conflict');
    expect((await change(ann.user.id, { resend_invite: true })).code).toBe('state_conflict');
  });

  it.each([{ admin: false }, { state: 'disabled' }])('rejects %j for the last administrator', async (body) => {
    await people.call('post', '/org/users', ann.session, { email: `asleep${String(orgId)}@example.org`, admin: true });
    const answer = await change(ann.user.id, body);
    expect([answer.status, answer.code]).toEqual([409, 'last_admin']);
    await people.admin(orgId);
    expect((await change(ann.user.id, body)).status).toBe(200);
  });

  it('keeps one of two administrators who remove each other concurrently', async () => {
    const bea = await people.admin(orgId);
    const answers = await Promise.all([
      change(bea.user.id, { admin: false }),
      change(ann.user.id, { admin: false }, bea),
      people.call('delete', `/org/users/${String(ann.user.id)}`, bea.session),
      people.call('delete', `/org/users/${String(bea.user.id)}`, ann.session),
    ]);
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(1);
    const left = await identity.database.dataSource.query<unknown[]>(
      `SELECT 1 FROM user_account WHERE org_id = $1 AND admin AND state = 'active'`,
      [orgId],
    );
    expect(left).toHaveLength(1);
  });

  it('rejects administrator rights for a demo user', async () => {
    const visitor = await people.visitor(orgId);
    expect((await change(visitor.user.id, { admin: true })).code).toBe('state_conflict');
  });

  it('answers not_found for a user of another organisation', async () => {
    const stranger = await people.member((await identity.anOrg()).id);
    expect((await change(stranger.user.id, { name: 'x' })).code).toBe('not_found');
    expect((await change(1, { name: 'x' })).code).toBe('not_found');
  });
});
