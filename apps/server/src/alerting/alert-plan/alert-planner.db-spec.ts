import { DataSource } from 'typeorm';
import { type AlertContent } from '#libs/alerting';
import { HandClock, START } from '../../../../../test/support/hand-clock.js';
import { MetricApp } from '../../../../../test/support/metric-app.js';
import { PlannedOrg } from '../../../../../test/support/planned-org.js';
import { until } from '../../../../../test/support/product.js';
import { statementsOf } from '../../../../../test/support/statements.js';
import { AnomalyRecordingService } from '../../analysis/anomaly/anomaly-recording.service.js';
import { IncidentGroupingModule } from '../../analysis/incident/incident-grouping.module.js';
import { IncidentGroupingService } from '../../analysis/incident/incident-grouping.service.js';
import { Transactions } from '../../common/database/transactions.js';
import { messageOf } from '../../common/errors/message-of.js';
import { OrgService } from '../../people/org/org.service.js';
import { ExclusionDirectoryService } from '../../data/exclusion/exclusion-directory.service.js';
import { WatcherDirectoryService } from '../watcher/watcher-directory.service.js';
import { AlertPlanModule } from './alert-plan.module.js';
import { AlertPlanRepository } from './alert-plan.repository.js';
import { AlertPlannerService } from './alert-planner.service.js';

let app: MetricApp;
let org: PlannedOrg;
let orgId: number;

beforeAll(async () => {
  app = await MetricApp.create({ clock: new HandClock() }, [AlertPlanModule, IncidentGroupingModule]);
});
afterAll(() => app.close());
beforeEach(async () => {
  app.clock.seconds = START;
  orgId = (await app.anOrg({ timezone: 'UTC' })).id;
  org = new PlannedOrg(app, orgId);
});

const query = <T>(sql: string, values: unknown[]): Promise<T[]> => org.query<T>(sql, values);
const aWatcher = (columns: Record<string, unknown> = {}): Promise<number> => org.aWatcher(columns);
const failing = (name: string, host?: string): Promise<number> => org.failing(name, host);
const change = (anomalyId: number, assignments: string): Promise<unknown> => org.change(anomalyId, assignments);
const plan = (): Promise<void> => org.plan();
const planAfter = (seconds: number): Promise<void> => org.planAfter(seconds);

interface Sent {
  key: string;
  phase: string;
  state: string;
  channel: string;
  by: string | null;
}

function sentMessages(): Promise<Sent[]> {
  return query<Sent>(
    `SELECT a.key, d.phase, d.state, d.channel, d.suppressed_by AS by FROM alert_delivery d JOIN alert a ON a.id = d.alert_id
     WHERE a.org_id = $1 ORDER BY d.id`,
    [orgId],
  );
}

const sentTitles = async (): Promise<string[]> =>
  (await sentMessages()).map(({ phase, state, channel, by }) => [phase, channel, state, by].filter(Boolean).join(' '));

async function contentOf(key: string): Promise<AlertContent> {
  const [row] = await query<{ content: AlertContent }>('SELECT content FROM alert WHERE org_id = $1 AND key = $2', [
    orgId,
    key,
  ]);
  return row!.content;
}

describe('alert planner', () => {
  it('plans for other organisations when planning fails for some', async () => {
    const broken: number[] = [];
    for (let count = 0; count < 10; count++) broken.push((await app.anOrg()).id);
    await query(
      `INSERT INTO alert_plan (org_id, key, watcher_id, phase, due_at, severity, told_metrics, state, planned_at)
       SELECT id, 'incident/0/watcher/0', 0, 'held', $2, 0, '{}', '{}', $2 FROM unnest($1::integer[]) AS id`,
      [broken, START - 60],
    );
    const round = (): Promise<unknown> =>
      app
        .get(AlertPlannerService)
        .run()
        .catch((error: unknown) => error);
    try {
      await until('the failure to be said', async () => ((await round()) instanceof Error ? true : undefined));
      await aWatcher();
      await failing('cpu');
      await until('the other organisation to be planned', async () => {
        await app.get(IncidentGroupingService).run();
        app.clock.seconds += 5;
        await round();
        return (await sentMessages()).length > 0 ? true : undefined;
      });
      expect(await sentTitles()).toEqual(['opened webhook queued']);
    } finally {
      await query('DELETE FROM alert_plan WHERE org_id = ANY($1)', [broken]);
    }
  });

  it('skips a watcher with an unreadable chip and alerts for the others', async () => {
    await aWatcher({ chips: ['@nothing:known'] });
    await aWatcher();
    await failing('cpu');
    await planAfter(5);
    expect(await sentTitles()).toEqual(['opened webhook queued']);
  });

  it('sends one message per incident to each destination, after a short wait', async () => {
    const first = await aWatcher();
    const second = await aWatcher({ pagerduty: true });
    await failing('cpu');
    await failing('disk');
    await plan();
    expect(await sentMessages()).toEqual([]);
    await planAfter(4);
    const [incident] = await query<{ id: number }>('SELECT id FROM incident WHERE org_id = $1', [orgId]);
    const key = `incident/${String(incident!.id)}/watcher/`;
    expect((await sentMessages()).map((one) => [one.key, one.channel, one.phase])).toEqual([
      [`${key}${String(first)}`, 'webhook', 'opened'],
      [`${key}${String(second)}`, 'pagerduty', 'opened'],
    ]);
    const content = await contentOf(`${key}${String(first)}`);
    expect(content).toMatchObject({
      kind: 'anomaly',
      metricsCount: 2,
      subject: { type: 'incident', id: String(incident!.id) },
      event: { type: 'incident.opened', data: { incident: { id: incident!.id, anomalies_count: 2 } } },
    });
    await planAfter(60);
    expect(await sentMessages()).toHaveLength(2);
  });

  it('alerts only on metrics that the chips of the watcher select', async () => {
    await aWatcher({ chips: ['host:db-1'] });
    await failing('cpu', 'web-1');
    await planAfter(4);
    expect(await sentMessages()).toEqual([]);
    await failing('cpu', 'db-1');
    await planAfter(4);
    expect(await sentTitles()).toEqual(['opened webhook queued']);
  });

  it('ignores anomalies of other organisations', async () => {
    await aWatcher();
    const stranger = await app.anOrg();
    const metricId = await app.aMetric(stranger.id, 'cpu');
    await app.anAnomaly(stranger.id, metricId, START);
    await planAfter(4);
    const [count] = await query<{ count: string }>('SELECT count(*) FROM alert_plan WHERE org_id = $1', [stranger.id]);
    expect(count).toEqual({ count: '0' });
    expect(await sentMessages()).toEqual([]);
  });

  it('sends the recovery only after the anomaly has stayed resolved for two minutes', async () => {
    await aWatcher();
    const anomaly = await failing('cpu');
    await planAfter(4);
    await change(anomaly, `state = 'resolved', close_reason = 'recovered', end_timestamp = ${String(START + 60)}`);
    await planAfter(60);
    expect(await sentTitles()).toEqual(['opened webhook queued']);
    await planAfter(61);
    expect(await sentTitles()).toEqual(['opened webhook queued', 'recovered webhook queued']);
    const [message] = await query<{ content: AlertContent }>('SELECT content FROM alert WHERE org_id = $1', [orgId]);
    const [incident] = await query<{ end: number }>('SELECT end_timestamp AS end FROM incident WHERE org_id = $1', [
      orgId,
    ]);
    // The end of the last anomalous slot.
    expect(incident).toEqual({ end: START + 120 });
    expect(message!.content).toMatchObject({ end: START + 120, items: [{ end: START + 120 }] });
  });

  it('suppresses a message whose anomaly is acknowledged before it is sent', async () => {
    await aWatcher();
    const anomaly = await failing('cpu');
    await plan();
    const by = { userId: null, at: START, note: 'mine' };
    await app.get(Transactions).run((tx) => app.get(AnomalyRecordingService).acknowledge(orgId, [anomaly], by, tx));
    await planAfter(4);
    expect(await sentTitles()).toEqual(['opened webhook suppressed acknowledged']);
  });

  it('suppresses a queued message when its anomaly turns out to be expected', async () => {
    await aWatcher();
    const anomaly = await failing('cpu');
    await planAfter(4);
    expect(await sentTitles()).toEqual(['opened webhook queued']);
    await change(anomaly, `state = 'trained', close_reason = 'trained'`);
    await plan();
    expect(await sentTitles()).toEqual(['opened webhook suppressed filter']);
  });

  it('sends a recovery when the anomaly of a sent message turns out to be expected', async () => {
    await aWatcher();
    const anomaly = await failing('cpu');
    await planAfter(4);
    await query(`UPDATE alert_delivery SET state = 'sent', due_at = NULL WHERE org_id = $1`, [orgId]);
    await change(anomaly, `state = 'trained', close_reason = 'trained'`);
    await plan();
    expect(await sentTitles()).toEqual(['opened webhook sent', 'recovered webhook queued']);
    const [{ key }] = (await sentMessages()) as [Sent];
    expect((await contentOf(key)).summary).toContain('expected');
  });

  it('rechecks a stale plan once', async () => {
    await aWatcher();
    await failing('cpu');
    await planAfter(4);
    await app.get(AlertPlanRepository).recheckStale(app.clock.seconds + 1, app.clock.seconds);
    await plan();
    expect(await query('SELECT due_at FROM alert_plan WHERE org_id = $1', [orgId])).toEqual([{ due_at: null }]);
    expect(await sentTitles()).toEqual(['opened webhook queued']);
  });

  it('stores the state under the names of version 1.0, which reads it during an update', async () => {
    await aWatcher();
    await failing('cpu');
    await planAfter(4);
    const [row] = await query<{ members: string[] }>(
      'SELECT array(SELECT jsonb_object_keys(state)) AS members FROM alert_plan WHERE org_id = $1',
      [orgId],
    );
    expect(row!.members).toEqual(expect.arrayContaining(['toldAt', 'toldSeverity', 'toldCount', 'dueAt']));
    expect(row!.members).not.toContain('recheckAt');
  });

  it('records whether a mute or a maintenance window suppressed a message', async () => {
    await aWatcher();
    await app.get(OrgService).update(orgId, { alertsMutedUntil: new Date((START + 600) * 1000) });
    await failing('cpu');
    await planAfter(4);
    expect(await sentTitles()).toEqual(['opened webhook suppressed muted']);
    await query(`INSERT INTO exclusion (org_id, type_id, chips, reason) VALUES ($1, 4, '{"host:web-1"}', '')`, [orgId]);
    await app.get(ExclusionDirectoryService).refresh();
    await app.get(OrgService).update(orgId, { alertsMutedUntil: null });
    app.clock.seconds += 600;
    await failing('cpu', 'web-1');
    await planAfter(4);
    expect((await sentTitles()).sort()).toEqual([
      'opened webhook queued',
      'opened webhook suppressed exclusion',
      'opened webhook suppressed muted',
    ]);
  });

  it('sends one message per metric within the expiration time', async () => {
    await aWatcher();
    const anomaly = await failing('cpu');
    const [{ metricId }] = (await query('SELECT metric_id AS "metricId" FROM anomaly WHERE id = $1', [anomaly])) as [
      { metricId: number },
    ];
    await planAfter(4);
    await change(anomaly, `state = 'resolved', end_timestamp = ${String(START + 60)}`);
    await planAfter(200);
    await app.anAnomaly(orgId, metricId, app.clock.seconds);
    await planAfter(4);
    expect(await sentTitles()).toEqual([
      'opened webhook queued',
      'recovered webhook queued',
      'opened webhook suppressed expiration',
    ]);
    await planAfter(3600);
    expect((await sentTitles()).at(-1)).toBe('opened webhook queued');
  });

  it('never alerts on backfilled anomalies or on verdicts about the past', async () => {
    await aWatcher();
    const metricId = await app.aMetric(orgId, 'cpu');
    await app.anAnomaly(orgId, metricId, app.clock.seconds, null, { isBackfill: true });
    const other = await failing('disk', 'web-1');
    await app.get(Transactions).run((tx) => app.get(AnomalyRecordingService).setQuiet(orgId, [other], tx));
    await planAfter(4);
    expect(await sentMessages()).toEqual([]);
  });

  it.each([
    ['in one incident', 6000],
    ['that share no distinctive label', 0],
  ])(
    'sends one message for 2,000 anomalies %s, with all their metrics',
    async (_, others) => {
      await aWatcher();
      await aWatcher({ pagerduty: true, webhook: false });
      await query(
        `INSERT INTO metric (org_id, name, name_hash, display_name, labels, type, aggregation, source)
       SELECT $1, n, sha256(n::bytea), n, '{"host": "db-1"}', 'gauge', 'last', 'http'
       FROM generate_series(1, 2000) AS i, LATERAL (SELECT 'family_' || i AS n) AS names`,
        [orgId],
      );
      await query(
        `INSERT INTO metric (org_id, name, name_hash, display_name, labels, type, aggregation, source)
       SELECT $1, n, sha256(n::bytea), n, jsonb_build_object('host', 'web-' || i % 60), 'gauge', 'last', 'http'
       FROM generate_series(1, $2::integer) AS i, LATERAL (SELECT 'other_' || i AS n) AS names`,
        [orgId, others],
      );
      for (let part = 0; part < 4; part++) {
        await query(
          `INSERT INTO anomaly (org_id, metric_id, start_timestamp, peak_timestamp, score, severity, kind, state)
         SELECT $1, id, $2, $2, 0.8, 60, 'spike', 'open' FROM metric
         WHERE org_id = $1 AND name LIKE 'family%' AND id % 4 = $3 ORDER BY id`,
          [orgId, app.clock.seconds, part],
        );
        await plan();
        app.clock.seconds += 2;
      }
      await planAfter(6);
      await planAfter(60);
      expect(await sentTitles()).toEqual(['opened webhook queued', 'opened pagerduty queued']);
      const [{ key }] = (await sentMessages()) as [Sent];
      expect(await contentOf(key)).toMatchObject({ metricsCount: 2000 });
      const [{ count }] = (await query(
        `SELECT cardinality(s.metric_ids) AS count FROM alert_subject s JOIN alert a ON a.id = s.alert_id WHERE a.org_id = $1 AND a.key = $2`,
        [orgId, key],
      )) as [{ count: number }];
      expect(count).toBe(2000);
    },
    60_000,
  );

  it('sends a new message long after a burst, even if other anomalies followed in between', async () => {
    await aWatcher();
    const names = ['cpu', 'disk', 'net', 'orders', 'queue', 'latency', 'memory', 'logins', 'errors', 'mails', 'files'];
    for (const name of names) await failing(name, `${name}-host`);
    await planAfter(6);
    expect(await sentTitles()).toEqual(['opened webhook queued']);
    await planAfter(80);
    await failing('votes', 'votes-host');
    await planAfter(10);
    expect(await sentTitles()).toEqual(['opened webhook queued']);
    await planAfter(80);
    await failing('pages', 'pages-host');
    await planAfter(10);
    expect(await sentTitles()).toEqual(['opened webhook queued', 'opened webhook queued']);
  });

  it('inserts the messages of fifty watchers with one statement per table', async () => {
    for (let count = 0; count < 50; count++) await aWatcher({ chat_channel: `ops-${String(count)}`, webhook: false });
    await failing('cpu');
    await plan();
    const statements = await statementsOf(app.get(DataSource), () => planAfter(4));
    expect(await sentMessages()).toHaveLength(50);
    for (const table of ['alert', 'alert_subject', 'alert_delivery']) {
      expect(statements.filter((sql) => sql.startsWith(`INSERT INTO ${table} `))).toHaveLength(1);
    }
  });

  it('waits for the incident of anomalies that began before the process started', async () => {
    await aWatcher();
    for (const name of ['cpu', 'disk', 'net']) await failing(name);
    await query(`UPDATE alert_change SET changed_at = changed_at - interval '1 minute' WHERE org_id = $1`, [orgId]);
    await app.get(AlertPlannerService).run();
    await planAfter(10);
    expect((await sentMessages()).map(({ key }) => key.split('/')[0])).toEqual(['incident']);
  });

  it('plans again, and only once, after a process dies before its commit', async () => {
    await aWatcher();
    await failing('cpu');
    await plan();
    // The process dies after it has written the outbox and before the commit.
    await query(
      `CREATE FUNCTION die() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'killed'; END $$`,
      [],
    );
    await query(
      'CREATE CONSTRAINT TRIGGER killed AFTER UPDATE ON alert_plan DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION die()',
      [],
    );
    app.clock.seconds += 4;
    // A round does nothing while the application's own round holds the organisation. That one fails as well.
    let failure: unknown;
    while (failure === undefined)
      failure = await app
        .get(AlertPlannerService)
        .run()
        .then(() => undefined, messageOf);
    expect(failure).toContain('killed');
    expect(await sentMessages()).toEqual([]);
    await query('DROP TRIGGER killed ON alert_plan', []);
    await query('DROP FUNCTION die', []);
    await plan();
    expect(await sentTitles()).toEqual(['opened webhook queued']);
  });

  it.each([
    [`state = 'resolved', close_reason = 'data_ended'`, /^Closed: cpu.* has no further data to judge$/],
    [`state = 'resolved', close_reason = 'adapted'`, /^Closed: cpu.* stays at its new values$/],
    // Grouping may have taken these out of their incident before: then the title is that of the incident.
    [`state = 'trained', close_reason = 'trained'`, /^Closed: cpu.* (was marked as expected|spiked)$/],
    [`state = 'excluded', close_reason = 'excluded'`, /^Closed: cpu.* (is excluded from analysis|spiked)$/],
  ])('does not report a recovery of an anomaly that ended otherwise: %s', async (end, title) => {
    await aWatcher();
    const anomaly = await failing('cpu');
    await planAfter(4);
    await query(`UPDATE alert_delivery SET state = 'sent', due_at = NULL WHERE org_id = $1`, [orgId]);
    await change(anomaly, `${end}, end_timestamp = ${String(START + 60)}`);
    await planAfter(1);
    await planAfter(121);
    expect(await sentTitles()).toEqual(['opened webhook sent', 'recovered webhook queued']);
    const [message] = await query<{ content: AlertContent }>('SELECT content FROM alert WHERE org_id = $1', [orgId]);
    expect(message!.content).toMatchObject({ title: expect.stringMatching(title), isClosed: true });
  });

  it('sends a recovery for one of two messages whose incidents merge', async () => {
    await aWatcher();
    const left = await failing('cpu', 'a');
    const right = await failing('disk', 'b');
    await planAfter(4);
    expect(await sentTitles()).toEqual(['opened webhook queued', 'opened webhook queued']);
    await query(`UPDATE alert_delivery SET state = 'sent', due_at = NULL WHERE org_id = $1`, [orgId]);
    const [{ id }] = (await query('SELECT incident_id AS id FROM incident_anomaly WHERE anomaly_id = $1', [left])) as [
      { id: number },
    ];
    await query('UPDATE incident_anomaly SET incident_id = $2 WHERE anomaly_id = $1', [right, id]);
    await change(right, 'severity = 45');
    await plan();
    expect((await sentTitles()).slice(2)).toEqual(['recovered webhook queued']);
  });

  const settle = (state: 'sent' | 'failed'): Promise<unknown> =>
    query(`UPDATE alert_delivery SET state = $2 WHERE org_id = $1 AND state = 'queued'`, [orgId, state]);
  const metricOf = async (anomaly: number): Promise<number> =>
    (await query<{ id: number }>('SELECT metric_id AS id FROM anomaly WHERE id = $1', [anomaly]))[0]!.id;

  it('alerts on the next anomaly of a metric when the previous message failed for all recipients', async () => {
    await aWatcher({ alert_budget_per_week: 1 });
    const anomaly = await failing('cpu');
    await planAfter(4);
    await settle('failed');
    await change(anomaly, `state = 'resolved', end_timestamp = ${String(START + 60)}`);
    await planAfter(200);
    await app.anAnomaly(orgId, await metricOf(anomaly), app.clock.seconds);
    await planAfter(4);
    expect(await sentTitles()).toEqual(['opened webhook failed', 'opened webhook queued']);
  });

  it('alerts on the next anomaly of a metric when the previous one had no destination', async () => {
    const watcher = await aWatcher({ webhook: false });
    const anomaly = await failing('cpu');
    await planAfter(4);
    expect(await sentTitles()).toEqual([]);
    await change(anomaly, `state = 'resolved', end_timestamp = ${String(START + 60)}`);
    await planAfter(200);
    await query('UPDATE watcher SET webhook = true WHERE id = $1', [watcher]);
    app.get(WatcherDirectoryService).forget(orgId);
    await app.anAnomaly(orgId, await metricOf(anomaly), app.clock.seconds);
    await planAfter(4);
    expect(await sentTitles()).toEqual(['opened webhook queued']);
  });

  it('alerts on another anomaly of an incident after a failed message, but not after a sent one', async () => {
    await aWatcher();
    await failing('cpu');
    await planAfter(4);
    await settle('failed');
    await planAfter(120);
    expect(await sentTitles()).toEqual(['opened webhook failed']);
    await failing('disk');
    await planAfter(6);
    expect(await sentTitles()).toEqual(['opened webhook failed', 'opened webhook queued']);
    await settle('sent');
    await failing('memory');
    await planAfter(6);
    expect(await sentTitles()).toEqual(['opened webhook failed', 'opened webhook sent']);
  });

  it('alerts on a lasting anomaly after the message that suppressed it fails', async () => {
    await aWatcher({ expiration_seconds: 86_400 });
    const anomaly = await failing('cpu');
    await planAfter(4);
    await change(anomaly, `state = 'resolved', end_timestamp = ${String(START + 60)}`);
    await planAfter(200);
    await app.anAnomaly(orgId, await metricOf(anomaly), app.clock.seconds);
    await planAfter(4);
    await settle('failed');
    await planAfter(61);
    expect((await sentTitles()).at(-1)).toBe('opened webhook queued');
  });
});
