import { Permission } from '#libs/contracts';
import { type Answer, MetricApp } from '../../../../../test/support/metric-app.js';
import { HandClock, START } from '../../../../../test/support/hand-clock.js';
import { bareShape, storeMatch, storePattern } from '../../../../../test/support/patterns.js';
import { IncidentGroupingModule } from '../../analysis/incident/incident-grouping.module.js';
import { IncidentGroupingService } from '../../analysis/incident/incident-grouping.service.js';
import { DashboardModule } from './dashboard.module.js';

let app: MetricApp;
let orgId: number;
let token: string;
let metricId: number;

beforeAll(async () => {
  app = await MetricApp.create({ clock: new HandClock() }, [DashboardModule, IncidentGroupingModule]);
});
afterAll(() => app.close());
beforeEach(async () => {
  orgId = (await app.anOrg({ timezone: 'UTC' })).id;
  token = await app.aToken(orgId, Permission.Read);
  metricId = await app.aMetric(orgId, 'web-1.cpu');
});

const get = (path: string): Promise<Answer> => app.call('get', path, { token });

/** Rows of a panel. Each must have the columns of the panel, in order, with values of their types. */
async function panel(path: string): Promise<Record<string, unknown>[]> {
  const { status, data } = await get(`/dashboard/${path}`);
  expect(status).toBe(200);
  const columns = data.columns as { name: string; type: string }[];
  const types: Record<string, string> = {
    timestamp_ms: 'number',
    number: 'number',
    string: 'string',
    boolean: 'boolean',
  };
  for (const row of data.rows as Record<string, unknown>[]) {
    expect(Object.keys(row)).toEqual(columns.map(({ name }) => name));
    for (const { name, type } of columns) if (row[name] !== null) expect(typeof row[name]).toBe(types[type]);
  }
  expect(data.panels).toContain(data.panel);
  return data.rows as Record<string, unknown>[];
}

/** Stores a match of the metric with its own pattern. */
async function aMatch(timestamp: number): Promise<number> {
  const patternId = await storePattern(app, { orgId, metricId, label: 'backup', shape: bareShape(timestamp) });
  const kind = { type: 'motif', slots: 1, explanation: 'Looks like "backup"' } as const;
  return storeMatch(app.database.dataSource, { orgId, metricId, patternId, start: timestamp, ...kind });
}

describe('dashboards', () => {
  it('return the anomalies of a metric as annotations', async () => {
    const over = await app.anAnomaly(orgId, metricId, START - 600, START - 300);
    const open = await app.anAnomaly(orgId, metricId, START - 60);
    const { data } = await get('/dashboard/metric/web-1.cpu/anomalies');
    expect(data.annotations).toMatchObject([
      {
        id: open,
        time: (START - 60) * 1000,
        timeEnd: expect.any(Number),
        title: 'web-1.cpu spiked',
        tags: ['spike', 'minor', 'open'],
      },
      { id: over, time: (START - 600) * 1000, timeEnd: (START - 240) * 1000 },
    ]);
  });

  it('return up to the requested number of rows, at most ten thousand', async () => {
    await app.database.dataSource.query(
      `INSERT INTO anomaly (org_id, metric_id, start_timestamp, end_timestamp, peak_timestamp, score, severity, kind, state)
       SELECT $1, $2, $3 - 60 * i, $3 - 60 * i + 30, $3 - 60 * i, 0.8, 40, 'spike', 'resolved'
       FROM generate_series(1, 1005) AS i`,
      [orgId, metricId, START],
    );
    expect(await panel('web-1.cpu/anomalies?limit=10000')).toHaveLength(1005);
    expect(await panel('org/recentanomalies?limit=10000')).toHaveLength(1005);
    expect(await panel('web-1.cpu/anomalies')).toHaveLength(1000);
    expect((await panel('web-1.cpu/timeseries?limit=3')).length).toBeLessThanOrEqual(3);
    for (const limit of [0, 10_001]) {
      expect((await get(`/dashboard/web-1.cpu/anomalies?limit=${String(limit)}`)).status).toBe(400);
    }
  });

  it('return the matches of a metric as annotations', async () => {
    const match = await aMatch(START - 300);
    await aMatch(START - 90_000);
    const { data } = await get('/dashboard/metric/web-1.cpu/matches');
    expect(data.annotations).toEqual([
      {
        id: match,
        time: (START - 300) * 1000,
        timeEnd: (START - 300) * 1000,
        title: 'Match of web-1.cpu',
        text: 'Looks like "backup"',
        tags: ['match', 'backup'],
      },
    ]);
    expect(await panel('web-1.cpu/matches')).toMatchObject([
      { id: match, time: (START - 300) * 1000, label: 'backup', similarity: 0.97 },
    ]);
  });

  it('list the patterns of a metric regardless of the window', async () => {
    const id = await aMatch(START - 300);
    const [{ pattern }] = await app.database.dataSource.query(
      'SELECT pattern_id AS pattern FROM pattern_match WHERE id = $1',
      [id],
    );
    await app.database.dataSource.query(
      'UPDATE pattern SET checks = 4, matches = 1, last_match_timestamp = $2 WHERE id = $1',
      [pattern, START - 300],
    );
    expect(await panel(`web-1.cpu/patterns?from=${String(START - 60)}`)).toContainEqual({
      id: pattern,
      label: 'backup',
      origin: 'trained',
      enabled: true,
      checks: 4,
      matches: 1,
      match_rate_percent: 25,
      last_match: (START - 300) * 1000,
    });
  });

  it('accept milliseconds, seconds, and `until` for `to`', async () => {
    await app.anAnomaly(orgId, metricId, START - 600, START - 300);
    const count = async (query: string) =>
      ((await get(`/dashboard/metric/web-1.cpu/anomalies?${query}`)).data.annotations as unknown[]).length;
    expect(await count(`from=${String((START - 700) * 1000)}&to=${String(START * 1000)}`)).toBe(1);
    expect(await count(`from=${String(START - 700)}&until=${String(START)}`)).toBe(1);
    expect(await count(`from=${String((START - 200) * 1000)}&to=${String(START * 1000)}`)).toBe(0);
    expect((await get('/dashboard/metric/web-1.cpu/anomalies?from=5')).status).toBe(400);
  });

  it('have panels of a metric', async () => {
    await app.series.write({
      ids: Uint32Array.of(metricId, metricId),
      timestamps: Float64Array.of(START - 120 - (START % 60), START - 60 - (START % 60)),
      values: Float64Array.of(1, 2),
    });
    const id = await app.anAnomaly(orgId, metricId, START - 600, START - 300);
    const values = await panel(`web-1.cpu/timeseries?from=${String(START - 600)}`);
    expect(values.filter(({ value }) => value !== null).map(({ value }) => value)).toEqual([1, 2]);
    expect(await panel('web-1.cpu/anomalies')).toMatchObject([{ id, kind: 'spike', time: (START - 600) * 1000 }]);
    await panel(`web-1.cpu/expected_range?from=${String(START - 600)}`);
    expect(await panel(`id:${String(metricId)}/state`)).toContainEqual({ name: 'anomaly_count', value: '1' });
  });

  it('have panels of the organisation', async () => {
    const id = await app.anAnomaly(orgId, metricId, START - 600);
    while ((await panel('org/incidents')).length === 0) await app.get(IncidentGroupingService).run();
    expect(await panel('org/incidents')).toMatchObject([
      { title: 'web-1.cpu spiked', state: 'open', metrics_count: 1, origin: 'web-1.cpu', time_end: null },
    ]);
    expect(await panel('org/mostanomalous')).toMatchObject([{ metric: 'web-1.cpu', anomaly_count: 1 }]);
    expect(await panel('org/recentanomalies')).toMatchObject([{ id, metric: 'web-1.cpu', severity: 40 }]);
    expect(await panel('org/recentanomalies?chips=db-*')).toEqual([]);
    expect(await panel('org/metrics')).toMatchObject([{ name: 'web-1.cpu', id: metricId, anomaly_count: 1 }]);
    expect(await panel('org/overview')).toContainEqual({ name: 'incidents_open', value: 1 });
    expect(await panel('org/watchers')).toEqual([]);
    await panel('org/events');
  });

  it('list the existing panels when one is unknown', async () => {
    const unknown = await get('/dashboard/org/nothing');
    expect(unknown).toMatchObject({ status: 404, data: { message: expect.stringContaining('recentanomalies') } });
    expect((await get('/dashboard/web-1.cpu/constructor')).status).toBe(404);
    expect((await get('/dashboard/nothing/state')).status).toBe(404);
  });
});

describe('rankings', () => {
  it('list the metrics with the most and with the latest anomalies', async () => {
    const other = await app.aMetric(orgId, 'db-1.cpu');
    for (const ago of [900, 600]) await app.anAnomaly(orgId, metricId, START - ago, START - ago + 60);
    const newest = await app.anAnomaly(orgId, other, START - 300);
    const most = await get('/metrics/mostanomalous');
    expect(most.data).toMatchObject({
      metrics: [
        { metric: 'web-1.cpu', anomaly_count: 2, open_anomaly_count: 0, anomalous_seconds: 240, total_score: 1.6 },
        { metric: 'db-1.cpu', anomaly_count: 1, open_anomaly_count: 1 },
      ],
      until: START,
    });
    expect((await get('/metrics/mostanomalous?chips=db-*&limit=1')).data.metrics).toMatchObject([{ metric_id: other }]);
    const recent = await get('/metrics/mostrecentlyanomalous');
    expect(recent.data.metrics).toMatchObject([
      { metric: 'db-1.cpu', last_anomaly_timestamp: START - 300, anomaly: { id: newest } },
      { metric: 'web-1.cpu', last_anomaly_timestamp: START - 600 },
    ]);
  });
});
