import { Permission } from '#libs/contracts';
import { Clock } from '../clock.js';
import { LoadedConfig } from '../config/load-config.js';
import { createTestDatabase, type TestDatabase } from '../../../../../test/support/database.js';
import { IdentityApp } from '../../../../../test/support/identity-app.js';
import { INGEST_REQUESTS } from '../../data/ingest/ingest-limits.types.js';
import { LOGIN_ACCOUNT } from '../../people/session/login-limiter.js';
import { API_REQUESTS, RateLimitConfig } from './rate-limit.config.js';
import { SharedRateLimitStore } from './rate-limit-counts.repository.js';
import { RateLimitedError, rateLimit, RateLimits, RateLimitStore } from './rate-limits.js';

const ENV = {
  PLUMBLINE_LIMIT_API: '4',
  PLUMBLINE_LIMIT_LOGIN_ACCOUNT: '3',
  PLUMBLINE_LIMIT_INGEST_REQUESTS: '2',
};

let database: TestDatabase;
const apps: IdentityApp[] = [];

/** A process on the shared database. */
async function aProcess(): Promise<IdentityApp> {
  const app = await IdentityApp.create({ database, env: ENV });
  apps.push(app);
  return app;
}

async function countsIn(table: string): Promise<{ key: string; points: number; expire: string }[]> {
  return database.dataSource.query(`SELECT key, points, expire FROM ${table} ORDER BY key`);
}

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(() => database.dataSource.query('TRUNCATE attempt_count, request_count'));
afterEach(async () => {
  for (const app of apps.splice(0)) await app.close();
});

describe('request limits', () => {
  it('are shared by two processes and survive a restart', async () => {
    const [one, two] = [await aProcess(), await aProcess()];
    const token = await one.aToken((await one.anOrg()).id, Permission.Read);
    const ask = (app: IdentityApp) => app.http().get('/api/user/ping').set('X-Auth-Token', token);
    const remaining: (string | undefined)[] = [];
    for (const app of [one, two, one, two]) remaining.push((await ask(app)).headers['x-ratelimit-remaining']);
    expect(remaining).toEqual(['3', '2', '1', '0']);
    expect((await ask(one)).status).toBe(429);
    expect((await ask(two)).status).toBe(429);
    const restarted = await aProcess();
    const refused = await ask(restarted);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  });

  it('allow exactly the limit for concurrent requests to two processes', async () => {
    const [one, two] = [await aProcess(), await aProcess()];
    const token = await one.aToken((await one.anOrg()).id, Permission.Read);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        (i % 2 === 0 ? one : two).http().get('/api/user/ping').set('X-Auth-Token', token),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(4);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(16);
  });

  it('use two sequential statements for concurrent requests of one token', async () => {
    const app = await aProcess();
    const store = app.get(RateLimitStore);
    const limiter = store.limiter({ name: 'test', points: 1000, windowSeconds: 60, inMemory: false });
    let running = 0;
    let most = 0;
    let statements = 0;
    const shared = {
      limiter: () =>
        Object.assign(Object.create(limiter) as typeof limiter, {
          consume: async (key: string, points?: number) => {
            statements++;
            most = Math.max(most, ++running);
            return limiter.consume(key, points).finally(() => running--);
          },
        }),
    };
    const limits = new RateLimits(app.get(LoadedConfig), shared, app.get(Clock));
    const limit = rateLimit({ name: 'test', config: RateLimitConfig, points: () => 1000, windowSeconds: 60 });
    await Promise.all(Array.from({ length: 30 }, () => limits.consume(limit, 'one')));
    expect([most, statements]).toEqual([1, 2]);
    expect(await countsIn('request_count')).toEqual([expect.objectContaining({ key: 'test:one', points: 30 })]);
  });

  it('are stored in an unlogged table, without session ids', async () => {
    const app = await aProcess();
    const id = await app.aSession((await app.aUser((await app.anOrg()).id)).id);
    await app.http().get('/api/user/ping').set('X-Session-Id', id);
    const counts = await countsIn('request_count');
    expect(counts).toEqual([expect.objectContaining({ key: expect.stringMatching(/^api:session:/), points: 1 })]);
    expect(counts[0]?.key).not.toContain(id);
    const kinds: unknown = await database.dataSource.query(
      `SELECT relname, relpersistence FROM pg_class WHERE relname IN ('attempt_count', 'request_count') ORDER BY 1`,
    );
    expect(kinds).toEqual([
      { relname: 'attempt_count', relpersistence: 'p' },
      { relname: 'request_count', relpersistence: 'u' },
    ]);
  });

  it('of ingest are counted in the memory of each process', async () => {
    const [one, two] = [(await aProcess()).get(RateLimits), (await aProcess()).get(RateLimits)];
    await one.consume(INGEST_REQUESTS, 'a', 2);
    await expect(one.consume(INGEST_REQUESTS, 'a')).rejects.toThrow(RateLimitedError);
    await expect(two.consume(INGEST_REQUESTS, 'a')).resolves.toMatchObject({ remaining: 1 });
    expect(await countsIn('request_count')).toEqual([]);
  });
});

describe('limits on login attempts', () => {
  it('are shared by two processes and survive a restart', async () => {
    const [one, two] = [(await aProcess()).get(RateLimits), (await aProcess()).get(RateLimits)];
    await one.begin(LOGIN_ACCOUNT, 'a');
    await two.begin(LOGIN_ACCOUNT, 'a');
    expect(await one.begin(LOGIN_ACCOUNT, 'a')).toMatchObject({ remaining: 0 });
    await expect(two.begin(LOGIN_ACCOUNT, 'a')).rejects.toThrow(RateLimitedError);
    const restarted = (await aProcess()).get(RateLimits);
    await expect(restarted.begin(LOGIN_ACCOUNT, 'a')).rejects.toThrow(RateLimitedError);
    expect(await countsIn('attempt_count')).toMatchObject([{ key: 'loginAccount:a', points: 3 }]);
  });

  it('can be decremented by another process', async () => {
    const [one, two] = [(await aProcess()).get(RateLimits), (await aProcess()).get(RateLimits)];
    const tries = [await one.begin(LOGIN_ACCOUNT, 'a'), await one.begin(LOGIN_ACCOUNT, 'a')];
    await one.begin(LOGIN_ACCOUNT, 'a');
    await expect(two.begin(LOGIN_ACCOUNT, 'a')).rejects.toThrow(RateLimitedError);
    for (const counted of tries) await two.takeBack(counted);
    expect(await two.begin(LOGIN_ACCOUNT, 'a')).toMatchObject({ remaining: 1 });
  });
});

it('SharedRateLimitStore erases only counters whose window has ended', async () => {
  const app = await aProcess();
  const limits = app.get(RateLimits);
  await limits.begin(LOGIN_ACCOUNT, 'old');
  await limits.consume(API_REQUESTS, 'old');
  await database.dataSource.query('UPDATE attempt_count SET expire = expire - 900000');
  await database.dataSource.query('UPDATE request_count SET expire = expire - 60000');
  await limits.begin(LOGIN_ACCOUNT, 'new');
  await limits.consume(API_REQUESTS, 'new');
  await app.get(SharedRateLimitStore).forgetExpired();
  expect((await countsIn('attempt_count')).map(({ key }) => key)).toEqual(['loginAccount:new']);
  expect((await countsIn('request_count')).map(({ key }) => key)).toEqual(['api:new']);
});

it('RateLimits counts in memory while the database fails', async () => {
  const app = await aProcess();
  const limits = app.get(RateLimits);
  await database.dataSource.query('ALTER TABLE request_count RENAME TO elsewhere');
  try {
    for (let i = 0; i < 4; i++) await limits.consume(API_REQUESTS, 'a');
    await expect(limits.consume(API_REQUESTS, 'a')).rejects.toThrow(RateLimitedError);
  } finally {
    await database.dataSource.query('ALTER TABLE elsewhere RENAME TO request_count');
  }
});
