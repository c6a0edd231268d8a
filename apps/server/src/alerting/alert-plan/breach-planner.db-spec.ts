import { type AlertContent } from '#libs/alerting';
import { HandClock, START } from '../../../../../test/support/hand-clock.js';
import { MetricApp } from '../../../../../test/support/metric-app.js';
import { alertsOf } from '../integration/alertmanager/alert-labels.js';
import { chatBlocks } from '../integration/chat/chat-blocks.js';
import { renderAlertMail } from '../integration/email/alert-mail.js';
import { eventOf } from '../integration/pagerduty/pagerduty.channel.js';
import { smsText } from '../integration/sms/sms.channel.js';
import { teamsMessage } from '../integration/teams-chat/teams-card.js';
import { WatcherDirectoryService } from '../watcher/watcher-directory.service.js';
import { AlertPlanModule } from './alert-plan.module.js';
import { AlertPlanRepository } from './alert-plan.repository.js';
import { BreachPlannerService } from './breach-planner.service.js';

let app: MetricApp;
let orgId: number;
let watcherId: number;

beforeAll(async () => {
  app = await MetricApp.create({ clock: new HandClock() }, [AlertPlanModule]);
});
afterAll(() => app.close());
beforeEach(async () => {
  app.clock.seconds = START;
  orgId = (await app.anOrg({ timezone: 'UTC' })).id;
  const threshold = {
    algorithm: 'above',
    value: 500,
    valueUpper: null,
    timesInARow: 1,
    function: 'none',
    functionSeconds: null,
    minimumAvg: null,
    minimumAvgSeconds: null,
    dropPercent: null,
  };
  const [watcher] = await query<{ id: number }>(
    `INSERT INTO watcher (org_id, type, name, chips, alert, min_severity, min_duration_seconds, direction, kinds, pagerduty,
            alertmanager, webhook, expiration_time, expiration_time_unit, expiration_seconds, threshold)
     VALUES ($1, 'threshold', 'Slow', '{}', true, 0, 0, 'both', '{}', false, false, true, 3600, 'second', 3600, $2)
     RETURNING id`,
    [orgId, JSON.stringify(threshold)],
  );
  watcherId = watcher!.id;
  app.get(WatcherDirectoryService).forget(orgId);
});

const query = <T>(sql: string, values: unknown[]): Promise<T[]> => app.database.dataSource.query<T[]>(sql, values);

async function happen(metricId: number, type: 'breached' | 'recovered', value = 600): Promise<void> {
  await query(
    `INSERT INTO threshold_change (org_id, watcher_id, metric_id, type, timestamp, value, threshold)
     VALUES ($1, $2, $3, $4, $5, $6, 500)`,
    [orgId, watcherId, metricId, type, app.clock.seconds, value],
  );
}

async function planAfter(seconds: number): Promise<void> {
  for (const step of [0, seconds]) {
    app.clock.seconds += step;
    for (;;) {
      await app.get(BreachPlannerService).run();
      const [left] = await query(
        `SELECT 1 FROM threshold_change WHERE org_id = $1 AND handled_at IS NULL
         UNION ALL SELECT 1 FROM alert_plan WHERE org_id = $1 AND due_at <= $2 LIMIT 1`,
        [orgId, app.clock.now()],
      );
      if (left === undefined) break;
    }
  }
}

async function sentTitles(): Promise<string[]> {
  const rows = await query<{ phase: string; state: string; by: string | null; title: string }>(
    `SELECT d.phase, d.state, d.suppressed_by AS by FROM alert_delivery d JOIN alert a ON a.id = d.alert_id
     WHERE a.org_id = $1 ORDER BY d.id`,
    [orgId],
  );
  return rows.map(({ phase, state, by }) => [phase, state, by].filter(Boolean).join(' '));
}

describe('alerts of threshold breaches', () => {
  it('are sent once per metric within the expiration time, with a recovery message', async () => {
    const metric = await app.aMetric(orgId, 'latency');
    await happen(metric, 'breached');
    await planAfter(2);
    expect(await sentTitles()).toEqual(['opened queued']);
    await happen(metric, 'recovered', 400);
    await planAfter(121);
    expect(await sentTitles()).toEqual(['opened queued', 'recovered queued']);
    await happen(metric, 'breached');
    await planAfter(2);
    expect(await sentTitles()).toEqual(['opened queued', 'recovered queued', 'opened suppressed expiration']);
    await planAfter(3600);
    expect((await sentTitles()).at(-1)).toBe('opened queued');
    const [alert] = await query<{ content: unknown }>('SELECT content FROM alert WHERE org_id = $1 ORDER BY id', [
      orgId,
    ]);
    expect(alert!.content).toMatchObject({
      kind: 'threshold',
      subject: { type: 'watcher-metric', id: `${String(watcherId)}-${String(metric)}` },
      event: { type: 'threshold.recovered', data: { watcher: { id: watcherId }, metric: 'latency', threshold: 500 } },
    });
  });

  it('are sent again for a metric whose previous message failed', async () => {
    const metric = await app.aMetric(orgId, 'latency');
    await happen(metric, 'breached');
    await planAfter(2);
    await query(`UPDATE alert_delivery SET state = 'failed' WHERE org_id = $1`, [orgId]);
    await happen(metric, 'recovered', 400);
    await planAfter(10);
    await happen(metric, 'breached');
    await planAfter(2);
    expect(await sentTitles()).toEqual(['opened failed', 'opened queued']);
  });

  it('combine metrics that breach together into one message', async () => {
    for (let index = 0; index < 30; index++)
      await happen(await app.aMetric(orgId, `latency_${String(index)}`), 'breached');
    await planAfter(6);
    expect(await sentTitles()).toEqual(['opened queued']);
    const [alert] = await query<{ content: unknown }>('SELECT content FROM alert WHERE org_id = $1', [orgId]);
    expect(alert!.content).toMatchObject({ metricsCount: 30 });
    await happen(await app.aMetric(orgId, 'later'), 'breached');
    await planAfter(2);
    expect(await sentTitles()).toEqual(['opened queued', 'opened queued']);
  });

  it('name the ten worst metrics and the number of metrics in every channel', async () => {
    const ids: number[] = [];
    for (let index = 0; index < 100; index++) ids.push(await app.aMetric(orgId, `latency_${String(index)}`));
    for (const [index, id] of ids.entries()) await happen(id, 'breached', 501 + index);
    await planAfter(61);
    const [alert] = await query<{ content: AlertContent }>('SELECT content FROM alert WHERE org_id = $1', [orgId]);
    const { content } = alert!;
    expect(content.items).toHaveLength(20);
    expect(content.items[0]).toMatchObject({ metric: 'latency_99', value: 600 });
    expect(content.event).toMatchObject({
      type: 'threshold.breached',
      data: { metric: 'latency_99', metric_id: ids[99], value: 600, threshold: 500, metrics_count: 100 },
    });
    const { metrics } = content.event.data as { metrics: { metric: string }[] };
    const worst = Array.from({ length: 10 }, (_, index) => `latency_${String(99 - index)}`);
    expect(metrics.map(({ metric }) => metric)).toEqual(worst);
    expect(metrics[0]).toEqual({ metric: 'latency_99', metric_id: ids[99], value: 600, threshold: 500 });
    const mail = renderAlertMail(content, { home: 'https://plumbline.example.org', settings: null, pictureCid: null });
    const texts: Record<string, string> = {
      email: mail.text,
      // HTML mails allow line breaks between the parts of a name.
      html: mail.html.replaceAll('<wbr>', ''),
      sms: smsText(content),
      chat: JSON.stringify(chatBlocks(content, [])),
      teams: JSON.stringify(teamsMessage(content, null)),
      pagerduty: JSON.stringify(eventOf(content, 'trigger', 'key', 'secret')),
      alertmanager: JSON.stringify(alertsOf(content, {}, START)),
    };
    for (const [channel, text] of Object.entries(texts)) {
      expect([channel, text]).toEqual([channel, expect.stringContaining('100 metrics')]);
      expect([channel, text]).toEqual([channel, expect.stringContaining(content.links.console)]);
      for (const name of worst) expect([channel, text]).toEqual([channel, expect.stringContaining(name)]);
    }
  });

  async function removeMetric(metricId: number, departure: 'left' | 'removed' | 'deleted'): Promise<void> {
    await query(
      `INSERT INTO threshold_change (org_id, watcher_id, metric_id, type, timestamp, value, threshold, departure)
       VALUES ($1, $2, $3, 'recovered', $4, 600, 500, $5)`,
      [orgId, watcherId, metricId, app.clock.seconds, departure],
    );
  }

  const titles = async (): Promise<string[]> =>
    (await query<{ title: string }>(`SELECT content ->> 'title' AS title FROM alert WHERE org_id = $1`, [orgId])).map(
      ({ title }) => title,
    );

  it.each([
    ['left', 'Closed: latency is no longer selected by Slow'],
    ['removed', 'Closed: latency was removed'],
  ] as const)(
    'are closed immediately with a notice that names the departure "%s" of the metric',
    async (why, title) => {
      const metric = await app.aMetric(orgId, 'latency');
      await happen(metric, 'breached');
      await planAfter(2);
      await removeMetric(metric, why);
      await planAfter(1);
      expect(await sentTitles()).toEqual(['opened queued', 'recovered queued']);
      expect(await titles()).toEqual([title]);
      await planAfter(121);
      expect(await sentTitles()).toHaveLength(2);
    },
  );

  it('are rechecked once when stale, without a write to other open alerts', async () => {
    const [first, second] = [await app.aMetric(orgId, 'latency'), await app.aMetric(orgId, 'queue')];
    await happen(first, 'breached');
    await planAfter(2);
    await app.get(AlertPlanRepository).recheckStale(app.clock.seconds + 1, app.clock.seconds);
    await planAfter(0);
    const rows = () =>
      query<{ planned: number; recheckAt: number | null }>(
        'SELECT planned_at AS planned, due_at AS "recheckAt" FROM alert_plan WHERE org_id = $1 ORDER BY id',
        [orgId],
      );
    const [before] = await rows();
    expect(before!.recheckAt).toBeNull();
    app.clock.seconds += 10;
    await happen(second, 'breached');
    await planAfter(2);
    expect((await rows())[0]).toEqual(before);
    expect(await sentTitles()).toEqual(['opened queued', 'opened queued']);
  });

  it('are not sent when the metric leaves the watcher before the message is sent', async () => {
    const metric = await app.aMetric(orgId, 'latency');
    await happen(metric, 'breached');
    await planAfter(0.5);
    await removeMetric(metric, 'left');
    await planAfter(5);
    expect(await sentTitles()).toEqual([]);
  });

  it('stay open for the remaining metrics when one leaves the watcher', async () => {
    const [one, other] = [await app.aMetric(orgId, 'one'), await app.aMetric(orgId, 'other')];
    await happen(one, 'breached');
    await happen(other, 'breached');
    await planAfter(6);
    await removeMetric(one, 'left');
    await planAfter(2);
    expect(await sentTitles()).toEqual(['opened queued']);
    await happen(other, 'recovered', 400);
    await planAfter(121);
    expect(await sentTitles()).toEqual(['opened queued', 'recovered queued']);
    expect((await titles())[0]).toMatch(/^Recovered: /);
  });

  it('name an erased metric in the closing notice', async () => {
    const metric = await app.aMetric(orgId, 'latency');
    await happen(metric, 'breached');
    await planAfter(2);
    await query('DELETE FROM metric WHERE org_id = $1 AND id = $2', [orgId, metric]);
    await query('UPDATE alert_plan SET due_at = $2 WHERE org_id = $1', [orgId, app.clock.seconds]);
    await planAfter(1);
    expect(await titles()).toEqual(['Closed: latency was removed']);
  });

  it('close without a chat message when the watcher is deleted, but resolve the PagerDuty incident', async () => {
    await query(`UPDATE watcher SET chat_channel = '#ops', pagerduty = true, webhook = false WHERE id = $1`, [
      watcherId,
    ]);
    app.get(WatcherDirectoryService).forget(orgId);
    const metric = await app.aMetric(orgId, 'latency');
    await happen(metric, 'breached');
    await planAfter(2);
    await query('UPDATE watcher SET deleted_at = now() WHERE id = $1', [watcherId]);
    app.get(WatcherDirectoryService).forget(orgId);
    await removeMetric(metric, 'deleted');
    await planAfter(1);
    const rows = await query<{ channel: string; phase: string }>(
      `SELECT d.channel, d.phase FROM alert_delivery d WHERE d.org_id = $1 ORDER BY d.id`,
      [orgId],
    );
    expect(rows.map(({ channel, phase }) => `${channel} ${phase}`).sort()).toEqual([
      'chat opened',
      'pagerduty opened',
      'pagerduty recovered',
    ]);
    const [alert] = await query<{ state: string }>('SELECT state FROM alert WHERE org_id = $1', [orgId]);
    expect(alert!.state).toBe('closed');
  });

  it('send a closing notice when the watcher stops alerting', async () => {
    await happen(await app.aMetric(orgId, 'latency'), 'breached');
    await planAfter(2);
    await query('UPDATE watcher SET alert = false WHERE id = $1', [watcherId]);
    app.get(WatcherDirectoryService).forget(orgId);
    await query('UPDATE alert_plan SET due_at = $2 WHERE org_id = $1', [orgId, app.clock.seconds]);
    await planAfter(1);
    expect(await sentTitles()).toEqual(['opened queued', 'recovered queued']);
    expect(await titles()).toEqual(['Closed: latency: Slow no longer alerts']);
  });
});
