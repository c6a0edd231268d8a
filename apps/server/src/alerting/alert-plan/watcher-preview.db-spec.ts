import { Permission } from '#libs/contracts';
import { HandClock, START } from '../../../../../test/support/hand-clock.js';
import { type Answer, MetricApp } from '../../../../../test/support/metric-app.js';
import { WatcherBudgetsService } from './watcher-budgets.service.js';
import { WatcherPreviewModule } from './watcher-preview.module.js';

const HOUR = 3600;
const DAY = 24 * HOUR;

let app: MetricApp;
let orgId: number;
let reader: { token: string };

beforeAll(async () => {
  app = await MetricApp.create({ clock: new HandClock() }, [WatcherPreviewModule]);
});
afterAll(() => app.close());
beforeEach(async () => {
  app.clock.seconds = START;
  orgId = (await app.anOrg({ timezone: 'Europe/Oslo' })).id;
  reader = { token: await app.aToken(orgId, Permission.Read) };
});

const query = <T>(sql: string, values: unknown[]): Promise<T[]> => app.database.dataSource.query<T[]>(sql, values);
const preview = (body: object): Promise<Answer> => app.call('post', '/watcher/preview', reader, body);

async function anomaly(metricId: number, start: number, seconds: number, severity = 60): Promise<number> {
  const id = await app.anAnomaly(orgId, metricId, start, start + seconds);
  await query('UPDATE anomaly SET severity = $2 WHERE id = $1', [id, severity]);
  return id;
}

describe('POST /watcher/preview', () => {
  it('returns the alerts that would have been sent and the reason for each suppressed one', async () => {
    const cpu = await app.aMetric(orgId, 'cpu{host="db-1"}', { labels: { host: 'db-1' } });
    const disk = await app.aMetric(orgId, 'disk{host="db-1"}', { labels: { host: 'db-1' } });
    const other = await app.aMetric(orgId, 'disk{host="web-1"}', { labels: { host: 'web-1' } });
    const first = await anomaly(cpu, START - 5 * HOUR, 600, 80);
    const second = await anomaly(cpu, START - 4.5 * HOUR, 600, 70);
    const third = await anomaly(disk, START - 2 * HOUR, 600, 20);
    await anomaly(other, START - 2 * HOUR, 600, 90);
    const { status, data } = await preview({ chips: ['host:db-1'], min_severity: 50 });
    expect(status).toBe(200);
    expect(data).toMatchObject({
      metrics_count: 2,
      anomalies_count: 3,
      alerts_count: 1,
      suppressed_count: 2,
      truncated: false,
      budget: null,
      from: START - 7 * DAY,
      until: START,
      alerts: [
        {
          anomaly_id: first,
          metric: 'cpu{host="db-1"}',
          kind: 'spike',
          severity: 80,
          would_alert: true,
          suppressed_by: null,
        },
        { anomaly_id: second, would_alert: false, suppressed_by: 'expiration' },
        { anomaly_id: third, would_alert: false, suppressed_by: 'filter' },
      ],
    });
    expect(data.per_day).toHaveLength(8);
    expect(data.per_day.at(-1)).toEqual({ date: '2025-10-09', alerts: 1, suppressed: 2 });
    expect(await query('SELECT id FROM alert WHERE org_id = $1', [orgId])).toEqual([]);
  });

  it('previews alerts on backfilled history', async () => {
    const id = await anomaly(await app.aMetric(orgId, 'cpu'), START - HOUR, 600);
    await query('UPDATE anomaly SET backfill = true WHERE id = $1', [id]);
    const { data } = await preview({ chips: ['-nothing'] });
    expect(data).toMatchObject({ anomalies_count: 1, alerts_count: 1, suppressed_count: 0 });
  });

  it('counts the anomalies of one incident as one alert', async () => {
    const [incident] = await query<{ id: number }>(
      `INSERT INTO incident (org_id, state, title, start_timestamp, last_start_timestamp, severity, anomalies_count,
              metrics_count, common_labels, origins, backfill)
       VALUES ($1, 'resolved', 'Both', 0, 0, 60, 2, 2, '{}', '[]', false) RETURNING id`,
      [orgId],
    );
    for (const name of ['cpu', 'disk']) {
      const id = await anomaly(await app.aMetric(orgId, name), START - HOUR, 600);
      await query('INSERT INTO incident_anomaly (anomaly_id, incident_id, org_id) VALUES ($1, $2, $3)', [
        id,
        incident!.id,
        orgId,
      ]);
    }
    const { data } = await preview({ chips: ['-nothing'] });
    expect(data).toMatchObject({ anomalies_count: 2, alerts_count: 1, suppressed_count: 0 });
  });

  it('returns the severity for a budget, and what a stored watcher achieved', async () => {
    for (let index = 0; index < 116; index++) {
      const metricId = await app.aMetric(orgId, `m${String(index)}`);
      await anomaly(metricId, START - 29 * DAY + index * 6 * HOUR, 600, Math.floor(index * 61.8034) % 100);
    }
    const { data } = await preview({ chips: ['-nothing'], alert_budget_per_week: 3, from: START - 30 * DAY });
    expect(data.budget).toMatchObject({ wanted: 3, achieved_4_weeks: null });
    expect(data.budget.severity_in_effect).toBeGreaterThan(80);
    expect(data.alerts_count).toBeGreaterThanOrEqual(10);
    expect(data.alerts_count).toBeLessThanOrEqual(16);

    const [watcher] = await query<{ id: number }>(
      `INSERT INTO watcher (org_id, type, name, chips, alert, min_severity, min_duration_seconds, direction, kinds, pagerduty,
              alertmanager, webhook, expiration_time, expiration_time_unit, expiration_seconds, alert_budget_per_week)
       VALUES ($1, 'anomaly', 'All', '{-nothing}', true, 0, 0, 'both', '{}', false, false, true, 3600, 'second', 3600, 3)
       RETURNING id`,
      [orgId],
    );
    await app.get(WatcherBudgetsService).run();
    const stored = await preview({ watcher_id: watcher!.id });
    expect(stored.data.budget).toMatchObject({ wanted: 3, achieved_4_weeks: 0 });
    expect(stored.data.budget.severity_in_effect).toBe(data.budget.severity_in_effect);
  });

  it('replays stored points against a threshold', async () => {
    const metricId = await app.aMetric(orgId, 'latency');
    const first = Math.floor(START / 60) * 60 - 7200;
    await app.series.write({
      ids: new Uint32Array(120).fill(metricId),
      timestamps: Float64Array.from({ length: 120 }, (_, row) => first + row * 60),
      values: Float64Array.from({ length: 120 }, (_, row) => (row >= 60 && row < 70 ? 900 : 100)),
    });
    const { status, data } = await preview({ chips: ['latency'], algorithm: 'above', value: 500, from: START - 7200 });
    expect(status).toBe(200);
    expect(data).toMatchObject({
      anomalies_count: 1,
      alerts_count: 1,
      alerts: [{ metric: 'latency', anomaly_id: null, kind: 'threshold', value: 900, would_alert: true }],
    });
    expect((await preview({ chips: ['latency'], algorithm: 'above' })).status).toBe(400);
  });

  it('rejects missing or too old input, and watchers that are unknown or of another organisation', async () => {
    expect((await preview({})).status).toBe(400);
    expect((await preview({ watcher_id: 999_999 })).status).toBe(404);
    expect((await preview({ chips: ['a'], from: START - 31 * DAY })).status).toBe(400);
    const stranger = await app.anOrg();
    const [watcher] = await query<{ id: number }>(
      `INSERT INTO watcher (org_id, type, name, chips, alert, min_severity, min_duration_seconds, direction, kinds, pagerduty,
              alertmanager, webhook, expiration_time, expiration_time_unit, expiration_seconds)
       VALUES ($1, 'anomaly', 'All', '{}', true, 0, 0, 'both', '{}', false, false, true, 3600, 'second', 3600) RETURNING id`,
      [stranger.id],
    );
    expect((await preview({ watcher_id: watcher!.id })).status).toBe(404);
  });
});
