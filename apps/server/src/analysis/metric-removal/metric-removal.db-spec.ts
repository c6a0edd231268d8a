import { Permission } from '#libs/contracts';
import { START } from '../../../../../test/support/hand-clock.js';
import { bareShape, storePattern } from '../../../../../test/support/patterns.js';
import { until } from '../../../../../test/support/product.js';
import { type Answer, MetricApp } from '../../../../../test/support/metric-app.js';
import { PatternModule } from '../pattern/pattern.module.js';

const MINUTE = 60;

let app: MetricApp;
let orgId: number;
let token: string;

beforeAll(async () => {
  app = await MetricApp.create({}, [PatternModule]);
});
afterAll(() => app.close());
beforeEach(async () => {
  app.clock.seconds = START;
  orgId = (await app.anOrg()).id;
  token = await app.aToken(orgId, Permission.Read, Permission.Ingest, Permission.Admin);
});

const get = (path: string): Promise<Answer> => app.call('get', path, { token });

async function withPoints(name: string, count: number): Promise<number> {
  const id = await app.aMetric(orgId, name);
  const first = START - (START % MINUTE) - count * MINUTE;
  await app.series.write({
    ids: new Uint32Array(count).fill(id),
    timestamps: Float64Array.from({ length: count }, (_, i) => first + i * MINUTE),
    values: new Float64Array(count).fill(1),
  });
  return id;
}

async function send(...metrics: string[]): Promise<number> {
  const points = metrics.map((metric) => ({ metric, value: 1, timestamp: app.clock.seconds }));
  return (await app.http().post('/ingest/metrics').set('X-Auth-Token', token).send({ metrics: points })).status;
}

const storedPoints = async (id: number): Promise<number> =>
  (await app.series.readRaw(id, 0, START + MINUTE)).timestamps.length;

describe('GET /org/getquotametrics', () => {
  it('lists the metrics that count against the quota, sorted by name', async () => {
    await app.database.dataSource.query('UPDATE org SET metric_limit = 5 WHERE id = $1', [orgId]);
    for (const name of ['web-2.cpu', 'Web-1.cpu', 'db-1.cpu']) await app.aMetric(orgId, name);
    await app.aMetric(orgId, 'silent', { lastTimestamp: START - 30 * 86_400 });
    await app.database.dataSource.query(
      `UPDATE metric SET removed_at = now() WHERE org_id = $1 AND name = 'db-1.cpu'`,
      [orgId],
    );
    expect((await get('/org/getquotametrics')).data).toEqual({
      metrics: ['silent', 'Web-1.cpu', 'web-2.cpu'],
      count: 3,
      total: 3,
      quota_used: 3,
      metric_limit: 5,
      remaining: 2,
    });
    expect((await get('/org/getquotametrics?chips=web-*&limit=1&offset=1')).data).toEqual({
      metrics: ['web-2.cpu'],
      count: 1,
      total: 2,
      quota_used: 3,
      metric_limit: 5,
      remaining: 2,
    });
  });
});

describe('POST /org/removequotametrics', () => {
  const remove = (body: object): Promise<Answer> => app.call('post', '/org/removequotametrics', { token }, body);

  it('changes nothing on a dry run', async () => {
    const id = await withPoints('web-1.cpu', 3);
    await app.aMetric(orgId, 'db-1.cpu');
    expect((await remove({ chips: 'web-*', dry_run: true })).data).toEqual({
      metrics: ['web-1.cpu'],
      count: 1,
      dry_run: true,
      quota_used: 1,
      message: '1 metric would be removed.',
    });
    expect(await storedPoints(id)).toBe(3);
    expect((await get('/org/getquotametrics')).data.quota_used).toBe(2);
  });

  it('removes metrics from quota, lists and analysis, and deletes their fine points', async () => {
    const id = await withPoints('web-1.cpu', 3);
    const open = await app.anAnomaly(orgId, id, START - 600);
    const kept = await withPoints('db-1.cpu', 3);
    const { status, data } = await remove({ chips: ['web-*'] });
    expect(status).toBe(200);
    expect(data).toMatchObject({ metrics: ['web-1.cpu'], count: 1, dry_run: false, quota_used: 1 });
    expect(data.message).toMatch(/^1 metric removed\. .*stop their sender, or add an exclusion/);
    expect([await storedPoints(id), await storedPoints(kept)]).toEqual([0, 3]);
    expect((await get('/metrics')).data.metrics).toMatchObject([{ name: 'db-1.cpu' }]);
    expect((await get('/metrics?state=removed')).data.metrics).toMatchObject([
      { name: 'web-1.cpu', state: 'removed', counts_against_quota: false, analysis_state: 'paused' },
    ]);
    expect((await get(`/anomaly/${String(open)}`)).data.anomaly).toMatchObject({
      state: 'resolved',
      close_reason: 'data_ended',
    });
    expect(await app.events(orgId)).toEqual([
      ['anomaly_closed', 'web-1.cpu', 'web-1.cpu spiked; it is over: there is no further data to judge.'],
      ['metric_removed', 'web-1.cpu', 'web-1.cpu was removed from the quota.'],
    ]);
    expect((await remove({ chips: ['web-*'] })).data).toMatchObject({ metrics: [], count: 0, quota_used: 1 });
  });

  it('counts a metric again when it sends again', async () => {
    expect(await send('web-1.cpu')).toBe(204);
    await remove({ chips: 'web-1' });
    app.clock.seconds += 1;
    expect(await send('web-1.cpu')).toBe(204);
    expect((await get('/org/getquotametrics')).data.metrics).toEqual(['web-1.cpu']);
    // Until detection has processed the point, the metric keeps the end that its removal has set.
    const isActive = async () => (await get('/metrics')).data.metrics[0].state === 'active' || undefined;
    expect(await until('the metric to be active', isActive)).toBe(true);
  });

  it('records one event for many metrics', async () => {
    await Promise.all(Array.from({ length: 30 }, (_, i) => app.aMetric(orgId, `web-${String(i)}.cpu`)));
    expect((await remove({ chips: 'web' })).data.count).toBe(30);
    expect(await app.events(orgId)).toEqual([['metric_removed', null, '30 metrics were removed from the quota.']]);
  });

  it('rejects chips that are too broad, and callers who are not administrators', async () => {
    expect((await remove({ chips: '*' })).data.error.details).toMatchObject([{ field: 'chips', code: 'too_broad' }]);
    const writer = await app.aToken(orgId, Permission.Read, Permission.Write);
    expect((await app.call('post', '/org/removequotametrics', { token: writer }, { chips: 'web' })).status).toBe(403);
  });

  it('supports the deprecated GET form', async () => {
    await app.aMetric(orgId, 'web-1.cpu');
    const { status, headers, data } = await get('/org/removequotametrics?chips=web-1&dry_run=1');
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      deprecation: 'true',
      link: expect.stringContaining('/api/org/removequotametrics>; rel="successor-version"'),
    });
    expect(data).toMatchObject({ count: 1, dry_run: true });
  });
});

describe('DELETE /metric/{metric_name}', () => {
  const erase = (path: string): Promise<Answer> => app.call('delete', `/metric/${path}`, { token });

  it('erases the metric with its points, anomalies and patterns', async () => {
    const id = await withPoints('web-1.cpu', 3);
    await app.anAnomaly(orgId, id, START - 600);
    await storePattern(app, { orgId, metricId: id, shape: bareShape(START - 86_400) });
    const deleted = { points: 3, anomalies: 1, matches: 0, patterns: 1 };
    expect((await erase('web-1.cpu?dry_run=true')).data).toEqual({
      metric: 'web-1.cpu',
      deleted,
      progress_id: null,
      message: 'Nothing was erased.',
    });
    expect(await storedPoints(id)).toBe(3);

    expect((await erase(`id:${String(id)}`)).data).toEqual({
      metric: 'web-1.cpu',
      deleted,
      progress_id: null,
      message: 'OK',
    });
    expect(await storedPoints(id)).toBe(0);
    expect((await get('/metric/web-1.cpu')).status).toBe(404);
    expect((await get('/metrics?state=active,stale,inactive,removed')).data.total).toBe(0);
    expect((await get('/anomalies')).data.total).toBe(0);
    // A repeated request returns the same counts.
    expect((await erase('web-1.cpu')).data.deleted).toMatchObject({ points: 3, anomalies: 1 });
    expect(await app.events(orgId)).toEqual([
      ['metric_deleted', 'web-1.cpu', 'web-1.cpu was erased, with 3 points and 1 anomaly.'],
    ]);
  });

  it('lets the name create a new metric when it sends again', async () => {
    expect(await send('web-1.cpu')).toBe(204);
    const { id } = (await get('/metric/web-1.cpu')).data.metric;
    await erase('web-1.cpu');
    expect(await send('web-1.cpu')).toBe(204);
    expect((await get('/metric/web-1.cpu')).data.metric.id).not.toBe(id);
  });

  it('is restricted to administrators', async () => {
    await app.aMetric(orgId, 'web-1.cpu');
    const writer = await app.aToken(orgId, Permission.Read, Permission.Write);
    expect((await app.call('delete', '/metric/web-1.cpu', { token: writer })).status).toBe(403);
  });
});
