import { HandClock } from '../../../../../test/support/hand-clock.js';
import { MetricApp } from '../../../../../test/support/metric-app.js';
import { until } from '../../../../../test/support/product.js';
import { AlertPlanModule } from './alert-plan.module.js';
import { AlertSummariesService, spanOf } from './alert-summaries.service.js';

const at = (text: string): number => Date.parse(text) / 1000;
const ofFrequency = (summaryReportFrequency: string, scheduledAt: string) =>
  ({ watcher: { summaryReportFrequency }, scheduledAt: at(scheduledAt) }) as Parameters<typeof spanOf>[0];

let app: MetricApp;
let orgId: number;

beforeAll(async () => {
  app = await MetricApp.create({ clock: new HandClock() }, [AlertPlanModule]);
});
afterAll(() => app.close());
beforeEach(async () => {
  orgId = (await app.anOrg({ timezone: 'Europe/Oslo' })).id;
});

const query = <T>(sql: string, values: unknown[]): Promise<T[]> => app.database.dataSource.query<T[]>(sql, values);

async function reporting(frequency: string, next: string): Promise<number> {
  const [watcher] = await query<{ id: number }>(
    `INSERT INTO watcher (org_id, type, name, chips, alert, min_severity, min_duration_seconds, direction, kinds, pagerduty,
            alertmanager, webhook, expiration_time, expiration_time_unit, expiration_seconds, summary_report_frequency,
            next_summary_at, summary_timezone)
     VALUES ($1, 'anomaly', 'API errors', '{-nothing}', false, 0, 0, 'both', '{}', false, false, false, 3600, 'second', 3600,
             $2, $3, 'Europe/Oslo') RETURNING id`,
    [orgId, frequency, next],
  );
  const user = await app.aUser(orgId, 'Ann');
  await query(`INSERT INTO watcher_recipient (org_id, watcher_id, list, user_id) VALUES ($1, $2, 'summary', $3)`, [
    orgId,
    watcher!.id,
    user.id,
  ]);
  return watcher!.id;
}

interface Report {
  key: string;
  title: string;
  channel: string;
}

const reports = (): Promise<Report[]> =>
  query<Report>(
    `SELECT a.key, a.content ->> 'title' AS title, d.channel FROM alert a JOIN alert_delivery d ON d.alert_id = a.id
     WHERE a.org_id = $1 AND a.kind = 'summary' ORDER BY a.id`,
    [orgId],
  );

describe('summary reports of watchers', () => {
  it('are sent once at their local hour, also across a change of daylight saving time', async () => {
    // The clocks of Oslo go back on Sunday 26 October 2025.
    const id = await reporting('daily-10:00', '2025-10-25T08:00:00Z');
    const metricId = await app.aMetric(orgId, 'cpu');
    await app.anAnomaly(orgId, metricId, at('2025-10-25T12:00:00Z'), at('2025-10-25T13:00:00Z'));
    const moments = ['2025-10-25T08:00:00Z', '2025-10-26T08:59:00Z', '2025-10-26T09:00:00Z', '2025-10-27T09:00:00Z'];
    const counts: number[] = [];
    for (const moment of moments) {
      app.clock.seconds = at(moment);
      // Several processes run at the same time.
      await Promise.all([1, 2, 3].map(() => app.get(AlertSummariesService).run()));
      counts.push((await reports()).length);
    }
    expect(counts).toEqual([1, 1, 2, 3]);
    expect(await reports()).toMatchObject([
      { key: `summary/watcher/${String(id)}/${String(at('2025-10-25T08:00:00Z'))}`, channel: 'email' },
      { title: expect.stringContaining('1 incident') as string },
      { title: expect.stringContaining('no incidents') as string },
    ]);
    const events = (await app.eventTexts(orgId)).filter(([type]) => type === 'summary_sent');
    expect(events).toHaveLength(3);
  });

  it('are sent when an earlier report of another watcher cannot be created', async () => {
    const broken = await reporting('daily-10:00', '2025-11-25T08:00:00Z');
    await query('UPDATE watcher SET chips = $2 WHERE id = $1', [broken, ['@nothing:known']]);
    orgId = (await app.anOrg({ timezone: 'Europe/Oslo' })).id;
    await reporting('daily-10:00', '2025-11-25T09:00:00Z');
    app.clock.seconds = at('2025-11-25T09:00:00Z');
    try {
      await until('the other report', async () => {
        await app
          .get(AlertSummariesService)
          .run()
          .catch(() => undefined);
        return (await reports()).length > 0 ? true : undefined;
      });
      expect(await reports()).toHaveLength(1);
    } finally {
      await query('DELETE FROM watcher WHERE id = $1', [broken]);
    }
  });

  it('cover the time since the previous report', () => {
    expect(spanOf(ofFrequency('daily-10:00', '2025-10-26T09:00:00Z'), 'Europe/Oslo')).toEqual({
      frequency: 'daily',
      from: at('2025-10-25T08:00:00Z'),
      until: at('2025-10-26T09:00:00Z'),
    });
    expect(spanOf(ofFrequency('monthly-1', '2025-11-01T07:00:00Z'), 'Europe/Oslo')).toMatchObject({
      frequency: 'monthly',
      from: at('2025-10-01T06:00:00Z'),
    });
  });
});
