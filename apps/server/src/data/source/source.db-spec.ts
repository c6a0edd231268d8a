import { Permission } from '#libs/contracts';
import { START } from '../../../../../test/support/hand-clock.js';
import { PrometheusStandIn } from '../../../../../test/support/prometheus.js';
import { SourceApp } from '../../../../../test/support/source-app.js';
import { OrgService } from '../../people/org/org.service.js';
import { Transactions } from '../../common/database/transactions.js';
import { SourceClaimsRepository } from './source-claims.repository.js';
import { phaseOf } from './reading/plan-read.js';
import { type SourceDto } from './dto/source.dto.js';

const MINUTE = 60;
const HOUR = 3600;
const DAY = 86_400;
const cpuAt = (timestamp: number): number => timestamp % 1000;

let app: SourceApp;
let store: PrometheusStandIn;
let orgId: number;
let token: string;
let readToken: string;

beforeAll(async () => {
  app = await SourceApp.create({ env: { PLUMBLINE_LIMIT_HEAVY: '1000', PLUMBLINE_OUTGOING: '127.0.0.0/8' } });
});
afterAll(() => app.close());
beforeEach(async () => {
  app.clock.seconds = START;
  orgId = (await app.anOrg()).id;
  token = await app.aToken(orgId, Permission.Read, Permission.Admin);
  readToken = await app.aToken(orgId, Permission.Read);
  store = await new PrometheusStandIn().listen();
  store.series = [{ metric: { __name__: 'cpu', host: 'a' }, valueAt: cpuAt }];
});
afterEach(async () => {
  await app.database.dataSource.query('DELETE FROM source');
  await store.close();
});

interface Answer {
  status: number;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- JSON, looked into by expectations
  data: any;
}

async function call(
  method: 'get' | 'post' | 'put' | 'delete',
  path: string,
  body?: object,
  as = token,
): Promise<Answer> {
  const answer = await app.http()[method](`/api${path}`).set('X-Auth-Token', as).send(body);
  return { status: answer.status, data: answer.body.data };
}

const fields = (more: object = {}) => ({ name: 'shop', type: 'promql', url: store.url, query: 'cpu', ...more });
const create = async (more: object = {}): Promise<SourceDto> => {
  const { status, data } = await call('post', '/source', fields({ backfill_seconds: HOUR, ...more }));
  expect([status, data.error]).toEqual([200, undefined]);
  return data.source as SourceDto;
};
const shown = async ({ id }: { id: number }): Promise<SourceDto> =>
  (await call('get', `/source/${String(id)}`)).data.source as SourceDto;

describe('source endpoints', () => {
  it('create, list, update and delete a source, with audit entries and events', async () => {
    const created = await create({ unit: '%', metric_type: 'gauge' });
    expect(created).toEqual({
      id: created.id,
      name: 'shop',
      type: 'promql',
      url: `${store.url}/`,
      query: 'cpu',
      headers_set: {},
      username: '',
      password_set: false,
      interval_seconds: 60,
      lag_seconds: 60,
      backfill_seconds: HOUR,
      name_template: '',
      metric_type: 'gauge',
      unit: '%',
      timeout_seconds: 30,
      max_series: 10_000,
      enabled: true,
      write_back: false,
      state: 'backfilling',
      last_success_timestamp: null,
      last_error: null,
      series_count: null,
      points_per_interval: null,
      watermark_timestamp: null,
      write_back_timestamp: null,
      write_back_error: null,
    });
    expect((await call('get', '/sources', undefined, readToken)).data).toMatchObject({ total: 1, sources: [created] });
    const changed = await call('put', `/source/${String(created.id)}`, { query: 'up', enabled: false, unit: null });
    expect(changed.data).toMatchObject({
      message: 'OK',
      details: [],
      source: { query: 'up', state: 'disabled', unit: null },
    });
    expect((await call('delete', `/source/${String(created.id)}`)).data.source.id).toBe(created.id);
    expect((await call('delete', `/source/${String(created.id)}`)).data.source.id).toBe(created.id);
    expect((await call('get', `/source/${String(created.id)}`)).status).toBe(404);
    expect((await app.eventTexts(orgId)).map(([type]) => type)).toEqual([
      'source_added',
      'source_changed',
      'source_removed',
    ]);
    const actions = await app.database.dataSource.query<{ action: string }[]>(
      `SELECT action FROM audit_entry WHERE org_id = $1 AND action LIKE 'source.%' ORDER BY id`,
      [orgId],
    );
    expect(actions.map(({ action }) => action)).toEqual(['source.create', 'source.update', 'source.delete']);
  });

  it('require admin for changes, and return 404 for sources of other organisations', async () => {
    const { id } = await create();
    for (const [method, path] of [
      ['post', '/source'],
      ['put', `/source/${String(id)}`],
      ['delete', `/source/${String(id)}`],
      ['post', '/source/test'],
    ] as const) {
      expect((await call(method, path, fields(), readToken)).status).toBe(403);
    }
    const stranger = await app.aToken((await app.anOrg()).id, Permission.Read, Permission.Admin);
    expect((await call('get', `/source/${String(id)}`, undefined, stranger)).status).toBe(404);
    expect((await call('post', '/source/test', { source_id: id }, stranger)).status).toBe(404);
  });

  it('reject a name in use, and fields invalid for the type', async () => {
    await create();
    expect((await call('post', '/source', fields())).data.error.code).toBe('already_exists');
    const bad = async (more: object): Promise<string[]> => {
      const { data } = await call('post', '/source', fields({ name: 'other', ...more }));
      return (data.error.details as { field: string; code: string }[]).map(({ field, code }) => `${field} ${code}`);
    };
    expect(await bad({ url: 'ftp://example.org' })).toEqual(['url bad_format']);
    expect(await bad({ url: 'http://example.org/?token=x', interval_seconds: 5 })).toEqual([
      'interval_seconds out_of_range',
      'url bad_format',
    ]);
    expect(await bad({ type: 'sql' })).toEqual(['url bad_format']);
    expect(await bad({ type: 'influxql', query: 'SELECT value FROM cpu' })).toEqual(['query bad_format']);
    expect(await bad({ headers_set: { Host: 'other' } })).toEqual(['headers_set bad_format']);
    expect(await bad({ type: 'graphite', write_back: true })).toEqual(['write_back not_one_of']);
    expect(await bad({ name_template: '{' })).toEqual(['name_template bad_format']);
  });

  it('reject an address that the operator does not allow, including a database address', async () => {
    for (const more of [
      { url: 'http://169.254.169.254/' },
      { type: 'sql', url: 'postgres://169.254.169.254/db', query: 'SELECT 1 AS value' },
    ]) {
      for (const path of ['/source', '/source/test']) {
        const { status, data } = await call('post', path, fields(more));
        expect([status, data.error.code]).toEqual([422, 'address_not_allowed']);
        expect(data.error.details).toMatchObject([{ field: 'url', code: 'address_not_allowed' }]);
      }
    }
    expect(store.received).toEqual([]);
  });
});

describe('secrets of sources', () => {
  const secret = { username: 'me', password: 'hidden-word', headers_set: { 'X-Scope-OrgID': 'team-a' } };

  it('are sent to the source, but never returned', async () => {
    const { id } = await create(secret);
    const everything = JSON.stringify([
      await shown({ id }),
      (await call('get', '/sources')).data,
      await app.database.dataSource.query('SELECT * FROM source'),
      await app.database.dataSource.query('SELECT * FROM audit_entry WHERE org_id = $1', [orgId]),
    ]);
    expect(everything).not.toMatch(/hidden-word|team-a/);
    expect(await shown({ id })).toMatchObject({ password_set: true, headers_set: { 'X-Scope-OrgID': '************' } });
    await app.read();
    expect(store.received.at(-1)!.headers).toMatchObject({
      authorization: `Basic ${Buffer.from('me:hidden-word').toString('base64')}`,
      'x-scope-orgid': 'team-a',
    });
  });

  it('are extracted from the URL', async () => {
    const { id, url } = await create({ url: store.url.replace('http://', 'http://me:p%40ss@') });
    expect(url).toBe(`${store.url}/`);
    expect(await shown({ id })).toMatchObject({ username: 'me', password_set: true });
    await app.read();
    expect(store.received.at(-1)!.headers.authorization).toBe(`Basic ${Buffer.from('me:p@ss').toString('base64')}`);
  });

  it('are kept when other fields change, and when masked values are sent back', async () => {
    const { id } = await create(secret);
    const { headers_set } = await shown({ id });
    expect((await call('put', `/source/${String(id)}`, { query: 'up', headers_set })).data.details).toEqual([]);
    await app.read();
    expect(store.received.at(-1)!.headers).toMatchObject({
      'x-scope-orgid': 'team-a',
      authorization: expect.any(String),
    });
  });

  it('are removed when the URL changes, and named in the response', async () => {
    const { id } = await create(secret);
    const moved = await call('put', `/source/${String(id)}`, { url: `${store.url}/elsewhere` });
    expect(moved.status).toBe(200);
    expect(moved.data.details).toMatchObject([
      { field: 'password', code: 'secret_needed' },
      { field: 'headers_set.X-Scope-OrgID', code: 'secret_needed' },
    ]);
    expect(moved.data.source).toMatchObject({ password_set: false, headers_set: {} });
    await app.read();
    const { headers } = store.received.at(-1)!;
    expect(headers.authorization).toBe(`Basic ${Buffer.from('me:').toString('base64')}`);
    expect(headers).not.toHaveProperty('x-scope-orgid');
  });

  it('are kept for a changed URL when they are sent again', async () => {
    const { id } = await create(secret);
    const moved = await call('put', `/source/${String(id)}`, { ...secret, url: `${store.url}/elsewhere` });
    expect(moved.data).toMatchObject({ details: [], source: { password_set: true } });
  });

  it('of a stored source are not sent to a different address in a test', async () => {
    const { id } = await create(secret);
    await call('post', '/source/test', { source_id: id });
    expect(store.received.at(-1)!.headers['x-scope-orgid']).toBe('team-a');
    await call('post', '/source/test', { source_id: id, url: `${store.url}/api/v1/../../`, query: 'x' });
    const other = await new PrometheusStandIn().listen();
    await call('post', '/source/test', { source_id: id, url: other.url });
    expect(other.received).toHaveLength(1);
    expect(other.received[0]!.headers).not.toHaveProperty('x-scope-orgid');
    await other.close();
  });
});

describe('POST /source/test', () => {
  it('returns what the query finds, and stores nothing', async () => {
    const { data } = await call('post', '/source/test', fields());
    expect(data).toMatchObject({ ok: true, message: 'The query gave 1 series.', series_count: 1 });
    expect(data.series).toEqual([{ metric: 'cpu{host="a"}', points: 10, last_value: expect.any(Number) }]);
    expect(data.duration_seconds).toBeGreaterThanOrEqual(0);
    expect(await app.points(orgId)).toEqual([]);
    store.series = [];
    expect((await call('post', '/source/test', fields())).data).toMatchObject({ ok: false, series_count: 0 });
  });

  it('reports the error of the source, too many series, and a broken connection', async () => {
    store.mood = {
      status: 400,
      body: { status: 'error', errorType: 'bad_data', error: 'parse error: unexpected end' },
    };
    const refused = await call('post', '/source/test', fields());
    expect([refused.status, refused.data.error.code]).toEqual([502, 'upstream_failed']);
    expect(refused.data.message).toContain('400: parse error: unexpected end');
    store.mood = 'well';
    store.series = [1, 2, 3].map((host) => ({ metric: { __name__: 'cpu', host: String(host) }, valueAt: cpuAt }));
    const { data } = await call('post', '/source/test', fields({ max_series: 2 }));
    expect(data).toMatchObject({ ok: false, message: expect.stringContaining('gives 3 series, and max_series is 2') });
    store.mood = 'breaks off';
    expect((await call('post', '/source/test', fields())).status).toBe(502);
  });
});

describe('reading sources', () => {
  /** Returns first and last time and count of the points of a metric, and whether none is missing or repeated. */
  async function times(
    metric = 'cpu{host="a"}',
  ): Promise<{ first: number; last: number; count: number; isWhole: boolean }> {
    const found = (await app.points(orgId)).filter((one) => one.metric === metric && !Number.isNaN(one.value));
    const all = found.map(({ timestamp }) => timestamp);
    const isWhole = all.every((timestamp, index) => index === 0 || timestamp === all[index - 1]! + MINUTE);
    expect(found.every(({ timestamp, value }) => value === cpuAt(timestamp))).toBe(true);
    return { first: all[0]!, last: all.at(-1)!, count: all.length, isWhole };
  }
  const slot = (timestamp: number): number => Math.floor(timestamp / MINUTE) * MINUTE;

  it('reads the past as backfill up to the lag, then each interval as live', async () => {
    const created = await create({ backfill_seconds: DAY });
    await app.read();
    const past = await app.points(orgId);
    expect(new Set(past.map(({ kind }) => kind))).toEqual(new Set(['backfill']));
    expect(await times()).toEqual({
      first: slot(START - MINUTE) - DAY + MINUTE,
      last: slot(START - MINUTE),
      count: DAY / MINUTE,
      isWhole: true,
    });
    expect(await shown(created)).toMatchObject({
      state: 'ok',
      series_count: 1,
      points_per_interval: 1,
      watermark_timestamp: slot(START - MINUTE),
      last_success_timestamp: START,
      last_error: null,
    });
    await app.readFor(5 * MINUTE);
    const live = (await app.points(orgId)).slice(past.length);
    expect(live.map(({ kind }) => kind)).toEqual(live.map(() => 'live'));
    expect(live.length).toBeGreaterThanOrEqual(4);
    expect((await times()).isWhole).toBe(true);
    // One instant per request.
    expect(store.asked.slice(-3).every(({ start, end }) => start === end)).toBe(true);
  });

  it('reads the past in consecutive parts of limited size', async () => {
    store.series = Array.from({ length: 100 }, (_, host) => ({
      metric: { __name__: 'cpu', host: String(host) },
      valueAt: (timestamp) => timestamp,
    }));
    await create({ backfill_seconds: DAY });
    await app.read();
    const [, ...parts] = store.asked;
    expect(parts.length).toBeGreaterThan(2);
    for (const { start, end, step } of parts) expect(((end - start) / step + 1) * 100).toBeLessThanOrEqual(50_000);
    parts.slice(1).forEach(({ start }, index) => expect(start).toBe(parts[index]!.end + MINUTE));
    expect(await app.points(orgId)).toHaveLength((100 * DAY) / MINUTE);
  });

  it('continues after an outage without a gap and without too many requests', async () => {
    const created = await create();
    await app.read();
    store.mood = { status: 503, body: 'away' };
    await app.readFor(30 * HOUR, 600);
    expect(await shown(created)).toMatchObject({ state: 'failing', last_error: 'it answers 503' });
    const refused = store.received.length;
    expect(refused).toBeLessThan(200);
    store.mood = 'well';
    await app.readFor(10 * MINUTE, 300);
    expect(await shown(created)).toMatchObject({ state: 'ok', last_error: null });
    expect((await times()).isWhole).toBe(true);
    expect((await times()).last).toBeGreaterThan(app.clock.seconds - 5 * MINUTE);
    const events = (await app.eventTexts(orgId)).filter(
      ([type]) => type.startsWith('source_') && type !== 'source_added',
    );
    expect(events).toEqual([
      ['source_failing', 'The source shop cannot be read: it answers 503.'],
      ['source_recovered', 'The source shop is read again; what was missed is being fetched.'],
    ]);
  });

  it('backs off from a failing source', async () => {
    await create();
    await app.read();
    store.mood = 'breaks off';
    await app.readFor(HOUR, 5);
    expect(store.received.length).toBeLessThan(30);
  });

  it('rejects more series than allowed, and reports this', async () => {
    store.series = [1, 2, 3].map((host) => ({ metric: { __name__: 'cpu', host: String(host) }, valueAt: cpuAt }));
    const created = await create({ max_series: 2 });
    await app.read();
    expect((await shown(created)).last_error).toBe(
      'the query gives 3 series, and max_series is 2: let it select less, or raise max_series',
    );
    expect(await app.points(orgId)).toEqual([]);
  });

  it('ends a series that the store no longer returns, but none when the store returns nothing', async () => {
    let isGone = false;
    let isEmpty = false;
    store.series = ['a', 'b'].map((host) => ({
      metric: { __name__: 'cpu', host },
      valueAt: (timestamp) => (isEmpty || (isGone && host === 'b') ? null : cpuAt(timestamp)),
    }));
    await create({ backfill_seconds: 0 });
    await app.readFor(5 * MINUTE);
    isGone = true;
    await app.readFor(5 * MINUTE);
    const ended = (await app.points(orgId)).filter(({ value }) => Number.isNaN(value));
    expect(ended.map(({ metric }) => metric)).toEqual(['cpu{host="b"}']);
    isEmpty = true;
    await app.readFor(5 * MINUTE);
    expect((await app.points(orgId)).filter(({ value }) => Number.isNaN(value))).toHaveLength(1);
  });

  it('skips disabled and deleted sources, and sources of a deleted organisation', async () => {
    const [disabled, deleted] = [await create({ name: 'one' }), await create({ name: 'two' })];
    await call('put', `/source/${String(disabled.id)}`, { enabled: false });
    await call('delete', `/source/${String(deleted.id)}`);
    await app.readFor(5 * MINUTE, 60);
    expect(store.received).toEqual([]);
    await create({ name: 'three' });
    await app.get(Transactions).run((tx) => app.get(OrgService).markDeleted(orgId, tx));
    await app.readFor(5 * MINUTE, 60);
    expect(store.received).toEqual([]);
  });

  it('skips a source claimed by another process, and takes it over when the claim expires', async () => {
    const created = await create();
    const claims = app.get(SourceClaimsRepository);
    const queue = String(orgId);
    const first = (await claims.claimOfAll(queue, app.clock.now(), 10))!;
    expect(first.id).toBe(created.id);
    await app.readFor(5, 5);
    expect(store.received).toEqual([]);
    await app.readFor(10, 5);
    expect(store.received.length).toBeGreaterThan(0);
    const before = await shown(created);
    // A late write of the first process changes nothing.
    expect(await claims.finish(orgId, created.id, first.tries, { nextReadAt: 0, watermark: 5 })).toBe(false);
    expect(await claims.renew(orgId, created.id, first.tries, 0)).toBe(false);
    expect(await shown(created)).toEqual(before);
  });

  it('reads points with an unsaved watermark again, with the same values', async () => {
    const created = await create();
    await app.read();
    const before = await app.points(orgId);
    await app.database.dataSource.query(
      'UPDATE source SET watermark = watermark - 600, due_at = to_timestamp(0) WHERE id = $1',
      [created.id],
    );
    await app.read();
    const after = await app.points(orgId);
    expect(after).toHaveLength(before.length + 10);
    const distinct = new Set(
      after.map(({ metric, timestamp, value }) => `${metric} ${String(timestamp)} ${String(value)}`),
    );
    expect(distinct.size).toBe(before.length);
  });

  it('alternates between organisations, and spreads sources over the interval', async () => {
    const phases = new Set(Array.from({ length: 60 }, (_, id) => phaseOf(id + 1, 60)));
    expect(phases.size).toBeGreaterThan(40);
    const other = (await app.anOrg()).id;
    const otherToken = await app.aToken(other, Permission.Admin);
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']) await create({ name, backfill_seconds: 0 });
    await call('post', '/source', fields({ name: 'z', query: 'theirs', backfill_seconds: 0 }), otherToken);
    await app.read();
    // Four of the eight sources are read in parallel; that of the other organisation does not wait for the rest.
    expect(store.asked.findIndex(({ query }) => query === 'theirs')).toBeLessThan(6);
  });

  it('treats the newest point of a long interval as live, although its slot began long ago', async () => {
    const created = await create({ interval_seconds: DAY, backfill_seconds: 0 });
    await app.readFor(2 * DAY, HOUR);
    const found = await app.points(orgId);
    expect(found.map(({ kind }) => kind)).toEqual(['live', 'live']);
    // As if the slot were identified by its start.
    await app.database.dataSource.query(
      'UPDATE source SET watermark = watermark - 86400, due_at = to_timestamp(0) WHERE id = $1',
      [created.id],
    );
    app.clock.seconds += 22 * HOUR;
    await app.read();
    expect((await app.points(orgId)).filter(({ kind }) => kind === 'live')).toHaveLength(3);
  });

  it('applies the quota of the organisation', async () => {
    await app.database.dataSource.query('UPDATE org SET metric_limit = 1 WHERE id = $1', [orgId]);
    store.series.push({ metric: { __name__: 'cpu', host: 'b' }, valueAt: cpuAt });
    await create();
    await app.read();
    expect(new Set((await app.points(orgId)).map(({ metric }) => metric)).size).toBe(1);
  });
});
