import { Permission } from '#libs/contracts';
import { START } from '../../../../../test/support/hand-clock.js';
import { DemoApp } from '../../../../../test/support/demo-app.js';
import { createTestDatabase, type TestDatabase } from '../../../../../test/support/database.js';
import { FirstStartService } from '../../people/setup/first-start.service.js';
import { OrgService } from '../../people/org/org.service.js';
import { DemoOrgsService } from './demo-orgs.service.js';
import { DemoVisitorsService } from './demo-visits.service.js';

const DAY = 86_400;

let database: TestDatabase;
let app: DemoApp;

beforeAll(async () => {
  database = await createTestDatabase();
  app = await DemoApp.create({ database, env: { PLUMBLINE_LIMIT_SIGNUP_ADDRESS: '1000' } });
});
afterAll(async () => {
  await app.close();
  await database.drop();
});
beforeEach(async () => {
  app.clock.seconds = START;
  await database.dataSource.query('DELETE FROM org');
});

interface Answered {
  status: number;
  cookies: string[];
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- JSON, looked into by expectations
  data: any;
  statusBlock: { session_id: string; timezone: { timezone: string } };
}

async function call(method: 'get' | 'post', path: string, body: object = {}, session?: string): Promise<Answered> {
  const request = app.http()[method](`/api${path}`);
  if (session !== undefined) void request.set('X-Session-Id', session);
  const { status, body: answered, headers } = await request.send(body);
  const { data, status: statusBlock } = answered as Pick<Answered, 'data'> & { status: Answered['statusBlock'] };
  return { status, data, statusBlock, cookies: (headers['set-cookie'] as unknown as string[] | undefined) ?? [] };
}

const visit = (body: object = {}, session?: string): Promise<Answered> => call('post', '/signup/demo', body, session);
const users = (orgId: number): Promise<{ id: number; name: string; email: string | null; demo: boolean }[]> =>
  database.dataSource.query('SELECT id, name, email, demo FROM user_account WHERE org_id = $1 ORDER BY id', [orgId]);

describe('demo organisations for visitors', () => {
  it('are created beside that of the first administrator, one per theme', async () => {
    const { first, demos } = await app.begin();
    expect(demos.map(([theme]) => theme)).toEqual(['web-shop', 'factory']);
    expect(demos.map(([, id]) => id)).not.toContain(first.orgId);
    await Promise.all([app.get(DemoOrgsService).ensure(), app.get(DemoOrgsService).ensure()]);
    expect(await app.demos()).toEqual(demos);
    for (const [, id] of demos) expect(await users(id)).toEqual([]);
  });

  it('are created once by several processes', async () => {
    const other = await DemoApp.create({ database });
    await app.get(FirstStartService).run();
    await Promise.all([app.get(DemoOrgsService).ensure(), other.get(DemoOrgsService).ensure()]);
    await app.get(DemoOrgsService).ensure();
    await other.close();
    expect((await app.demos()).map(([theme]) => theme)).toEqual(['web-shop', 'factory']);
  });

  it('are not created in an installation that started without a demo', async () => {
    await app.get(OrgService).create({ name: 'My organisation' });
    await app.get(DemoOrgsService).ensure();
    expect(await app.demos()).toEqual([]);
    expect((await call('get', '/signup/demo-orgs')).data.orgs).toEqual([]);
    expect((await visit()).data.error.code).toBe('not_configured');
  });

  it('do not count as the organisation of the first start', async () => {
    const { first } = await app.begin();
    await database.dataSource.query('DELETE FROM org WHERE id = $1', [first.orgId]);
    expect(await app.get(FirstStartService).run()).toMatchObject({ isDemo: true });
  });

  it('are listed with their descriptions', async () => {
    const { demos } = await app.begin();
    const answer = await call('get', '/signup/demo-orgs');
    expect(answer.data.orgs).toEqual([
      {
        id: demos[0]![1],
        name: 'Demo web shop',
        description: expect.stringContaining('sells things on the web'),
        timezone: 'America/New_York',
        metrics_count: 0,
      },
      {
        id: demos[1]![1],
        name: 'Demo factory',
        description: expect.stringContaining('shifts'),
        timezone: 'Europe/Berlin',
        metrics_count: 0,
      },
    ]);
  });
});

describe('POST /signup/demo', () => {
  it('logs a visitor in to the first demo for a day', async () => {
    const { demos } = await app.begin();
    const answer = await visit({ user_name: 'Vera' });
    expect(answer.status).toBe(200);
    expect(answer.data.user).toMatchObject({
      org_id: demos[0]![1],
      name: 'Vera',
      email: '',
      demo: true,
      admin: false,
      state: 'active',
      last_login_timestamp: START,
    });
    const { id } = answer.data.session as { id: string };
    expect(answer.data.session.user).toEqual(answer.data.user);
    expect(answer.statusBlock.session_id).toBe(id);
    expect(answer.statusBlock.timezone.timezone).toBe('America/New_York');
    expect(answer.cookies).toHaveLength(1);
    expect(answer.cookies[0]).toMatch(new RegExp(`^session_id=${id}; Max-Age=86400; .*HttpOnly`));
    app.clock.seconds = START + DAY - 10;
    expect((await call('get', '/user/info', {}, id)).status).toBe(200);
    app.clock.seconds = START + DAY + 10;
    expect((await call('get', '/user/info', {}, id)).data.error.code).toBe('session_expired');
  });

  it('uses the requested organisation if it is open to visitors', async () => {
    const { first, demos } = await app.begin();
    expect((await visit({ demo_org_id: demos[1]![1] })).data.user.org_id).toBe(demos[1]![1]);
    for (const id of [first.orgId, 999_999]) {
      const refused = await visit({ demo_org_id: id });
      expect([refused.status, refused.data.error.details[0].field]).toEqual([404, 'demo_org_id']);
    }
    expect((await users(first.orgId)).map(({ demo }) => demo)).toEqual([false]);
  });

  it('stores an address only with consent, and never in the account', async () => {
    const { demos } = await app.begin();
    await visit({ user_name: 'Silent', email: 'silent@example.org' });
    await visit({ user_name: 'Willing', email: 'admin@plumbline.local', consent: true });
    expect((await users(demos[0]![1])).map(({ name, email }) => [name, email])).toEqual([
      ['Silent', null],
      ['Willing', null],
    ]);
    const kept = await database.dataSource.query<{ email: string }[]>('SELECT email FROM demo_visitor');
    expect(kept).toEqual([{ email: 'admin@plumbline.local' }]);
    const stored = await database.dataSource.query<{ row: string }[]>(
      'SELECT to_jsonb(u)::text AS row FROM user_account u',
    );
    expect(stored.map(({ row }) => row).join()).not.toContain('silent@');
  });

  it('ends the previous session of the client', async () => {
    await app.begin();
    const first = (await visit()).data.session.id as string;
    const second = (await visit({}, first)).data.session.id as string;
    expect((await call('get', '/user/info', {}, first)).data.error.code).toBe('session_expired');
    expect((await call('get', '/user/info', {}, second)).status).toBe(200);
  });

  it('rejects an invalid address or flag, a long name and an unknown parameter', async () => {
    await app.begin();
    const { status, data } = await visit({ email: 'x', consent: 'maybe', user_name: 'n'.repeat(101), shoe: 1 });
    expect(status).toBe(400);
    expect(data.error.details.map(({ field, code }: { field: string; code: string }) => [field, code]).sort()).toEqual([
      ['consent', 'not_boolean'],
      ['email', 'bad_format'],
      ['shoe', 'unknown_parameter'],
      ['user_name', 'too_long'],
    ]);
  });

  it('allows visitors only to read, with masked tokens and without other users', async () => {
    const { demos } = await app.begin();
    const orgId = demos[0]![1];
    const token = await app.aToken(orgId, Permission.Read);
    await visit({ user_name: 'Other' });
    const session = (await visit({ user_name: 'Me' })).data.session.id as string;
    const tokens = await call('get', '/org/tokens', {}, session);
    expect(tokens.status).toBe(200);
    expect(tokens.data.tokens[0].id).toBe(`************${token.slice(-4)}`);
    expect(JSON.stringify(tokens.data)).not.toContain('Other');
    expect((await call('get', '/org/info', {}, session)).data.admin_users).toEqual([]);
    const refused = await call('post', '/exclusion', { chips: ['cpu'], type_id: 2 }, session);
    expect(refused.data.error).toMatchObject({ code: 'demo_account', details: [{ message: 'write' }] });
    expect((await call('get', '/progress/demo', {}, session)).data.progress).toMatchObject([{ type: 'tour' }]);
  });

  it('is limited per address, also for visitors with a session', async () => {
    await database.dataSource.query('DELETE FROM attempt_count');
    const limited = await DemoApp.create({ database, env: { PLUMBLINE_LIMIT_SIGNUP_ADDRESS: '2' } });
    try {
      await limited.begin();
      const enter = (session?: string) => {
        const request = limited.http().post('/api/signup/demo');
        return session === undefined ? request.send({}) : request.set('X-Session-Id', session).send({});
      };
      const session = ((await enter()).body as { data: { session: { id: string } } }).data.session.id;
      expect((await enter(session)).status).toBe(200);
      const refused = await enter(session);
      expect(refused.status).toBe(429);
      expect(Number(refused.get('Retry-After'))).toBeGreaterThan(0);
    } finally {
      await limited.close();
    }
  });

  it('removes expired visits when a demo is full', async () => {
    const { demos } = await app.begin();
    const orgId = demos[0]![1];
    const fill = (count: number, at: number) =>
      database.dataSource.query(
        `INSERT INTO user_account (org_id, demo, state, created_at)
         SELECT $1, true, 'active', to_timestamp($3) FROM generate_series(1, $2)`,
        [orgId, count, at],
      );
    await fill(300, START - 2 * DAY);
    await fill(200, START - 60);
    expect((await visit()).status).toBe(200);
    expect(await users(orgId)).toHaveLength(201);
    await fill(299, START - 60);
    const full = await visit();
    expect([full.status, full.data.error.code]).toEqual([409, 'limit_reached']);
    expect((await visit({ demo_org_id: demos[1]![1] })).status).toBe(200);
  });

  it('deletes visitors after seven days, and no other user', async () => {
    const { first, demos } = await app.begin();
    const old = (await visit({ email: 'vera@example.org', consent: true })).data.user.id as number;
    app.clock.seconds = START + 4 * DAY;
    const young = (await visit()).data.user.id as number;
    app.clock.seconds = START + 7 * DAY + 1;
    await app.get(DemoVisitorsService).forgetOld();
    expect((await users(demos[0]![1])).map(({ id }) => id)).toEqual([young]);
    expect(old).not.toBe(young);
    expect(await database.dataSource.query('SELECT * FROM demo_visitor')).toEqual([]);
    expect(await users(first.orgId)).toHaveLength(1);
  });

  it.each([
    ['closed by default', { PLUMBLINE_DEMO_VISITS: 'auto' }, 503],
    ['with open sign-up', { PLUMBLINE_DEMO_VISITS: 'auto', SIGNUP_MODE: 'open' }, 200],
    ['with open sign-up, but visits off', { PLUMBLINE_DEMO_VISITS: 'off', SIGNUP_MODE: 'open' }, 503],
  ])('is available only if the operator allows visits: %s', async (_, env, status) => {
    await app.begin();
    const other = await DemoApp.create({ database, env });
    try {
      expect((await other.http().post('/api/signup/demo').send({})).status).toBe(status);
    } finally {
      await other.close();
    }
  });

  it('creates only the demo of the first administrator when visits are off', async () => {
    const own = await DemoApp.create({ database, env: { PLUMBLINE_DEMO_VISITS: 'auto' } });
    try {
      const { first, demos } = await own.begin();
      expect(first.isDemo).toBe(true);
      expect(demos).toEqual([]);
    } finally {
      await own.close();
    }
  });

  it('is refused while the demo is off, and no organisations are listed', async () => {
    await app.begin();
    const off = await DemoApp.create({ database, env: { PLUMBLINE_DEMO: 'off' } });
    try {
      expect((await off.http().post('/api/signup/demo').send({})).status).toBe(503);
      const { body } = await off.http().get('/api/signup/demo-orgs');
      expect((body as { data: unknown }).data).toEqual({ orgs: [] });
    } finally {
      await off.close();
    }
  });
});
