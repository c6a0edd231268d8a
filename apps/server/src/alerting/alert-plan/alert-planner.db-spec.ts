import { type AlertContent } from '#libs/alerting';
import { HandClock, START } from '../../../../../test/support/hand-clock.js';
import { MetricApp } from '../../../../../test/support/metric-app.js';
import { AnomalyRecorder } from '../../analysis/anomaly/anomaly-recording.service.js';
import { IncidentGroupingModule } from '../../analysis/incident/incident-grouping.module.js';
import { IncidentGrouping } from '../../analysis/incident/incident-grouping.service.js';
import { Transactions } from '../../common/database/transactions.js';
import { messageOf } from '../../common/errors/message-of.js';
import { OrgService } from '../../people/org/org.service.js';
import { ExclusionDirectory } from '../../data/exclusion/exclusion-directory.service.js';
import { Watchers } from '../watcher/watchers.service.js';
import { AlertPlanModule } from './alert-plan.module.js';
import { AlertPlanner } from './alert-planner.service.js';

let app: MetricApp;
let orgId: number;

beforeAll(async () => {
  app = await MetricApp.create({ clock: new HandClock() }, [AlertPlanModule, IncidentGroupingModule]);
});
afterAll(() => app.close());
beforeEach(async () => {
  app.clock.seconds = START;
  orgId = (await app.anOrg({ timezone: 'UTC' })).id;
});

const query = <T>(sql: string, values: unknown[]): Promise<T[]> => app.database.dataSource.query<T[]>(sql, values);

async function aWatcher(fields: Record<string, unknown> = {}): Promise<number> {
  const row = {
    org_id: orgId,
    type: 'anomaly',
    name: `Watcher ${String(Math.random())}`,
    chips: [],
    alert: true,
    min_severity: 0,
    min_duration_seconds: 0,
    direction: 'both',
    kinds: [],
    pagerduty: false,
    alertmanager: false,
    webhook: true,
    expiration_time: 3600,
    expiration_time_unit: 'second',
    expiration_seconds: 3600,
    ...fields,
  };
  const names = Object.keys(row);
  const [watcher] = await query<{ id: number }>(
    `INSERT INTO watcher (${names.join()}) VALUES (${names.map((_, index) => `$${String(index + 1)}`).join()}) RETURNING id`,
    Object.values(row),
  );
  app.get(Watchers).forget(orgId);
  return watcher!.id;
}

/** A metric of a host with an anomaly that began now. */
async function failing(name: string, host = 'db-1'): Promise<number> {
  const metricId = await app.aMetric(orgId, `${name}{host="${host}"}`, { labels: { host } });
  return app.anAnomaly(orgId, metricId, app.clock.seconds);
}

const change = (anomalyId: number, columns: string): Promise<unknown> =>
  query(`UPDATE anomaly SET ${columns} WHERE id = $1`, [anomalyId]);

/** Until nothing is left to group and to plan; the application is at it by itself, too. */
async function plan(): Promise<void> {
  for (;;) {
    await app.get(IncidentGrouping).run();
    await app.get(AlertPlanner).run();
    const [left] = await query(
      `SELECT 1 FROM anomaly_change WHERE org_id = $1 UNION ALL SELECT 1 FROM alert_change WHERE org_id = $1
       UNION ALL SELECT 1 FROM alert_plan WHERE org_id = $1 AND due_at <= $2 LIMIT 1`,
      [orgId, app.clock.now()],
    );
    if (left === undefined) return;
  }
}

async function planAfter(seconds: number): Promise<void> {
  await plan();
  app.clock.seconds += seconds;
  await plan();
}

interface Told {
  key: string;
  phase: string;
  state: string;
  channel: string;
  by: string | null;
}

function told(): Promise<Told[]> {
  return query<Told>(
    `SELECT a.key, d.phase, d.state, d.channel, d.suppressed_by AS by FROM alert_delivery d JOIN alert a ON a.id = d.alert_id
     WHERE a.org_id = $1 ORDER BY d.id`,
    [orgId],
  );
}

const said = async (): Promise<string[]> =>
  (await told()).map(({ phase, state, channel, by }) => [phase, channel, state, by].filter(Boolean).join(' '));

async function contentOf(key: string): Promise<AlertContent> {
  const [row] = await query<{ content: AlertContent }>('SELECT content FROM alert WHERE org_id = $1 AND key = $2', [
    orgId,
    key,
  ]);
  return row!.content;
}

describe('planning alerts', () => {
  it('sends one message for an incident to each destination, after a moment', async () => {
    const first = await aWatcher();
    const second = await aWatcher({ pagerduty: true });
    await failing('cpu');
    await failing('disk');
    await plan();
    expect(await told()).toEqual([]);
    await planAfter(4);
    const [incident] = await query<{ id: number }>('SELECT id FROM incident WHERE org_id = $1', [orgId]);
    const key = `incident/${String(incident!.id)}/watcher/`;
    expect((await told()).map((one) => [one.key, one.channel, one.phase])).toEqual([
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
    expect(await told()).toHaveLength(2);
  });

  it('hears only of metrics that the chips select', async () => {
    await aWatcher({ chips: ['host:db-1'] });
    await failing('cpu', 'web-1');
    await planAfter(4);
    expect(await told()).toEqual([]);
    await failing('cpu', 'db-1');
    await planAfter(4);
    expect(await said()).toEqual(['opened webhook queued']);
  });

  it('does not hear of the anomalies of others', async () => {
    await aWatcher();
    const stranger = await app.anOrg();
    const metricId = await app.aMetric(stranger.id, 'cpu');
    await app.anAnomaly(stranger.id, metricId, START);
    await planAfter(4);
    const [count] = await query<{ count: string }>('SELECT count(*) FROM alert_plan WHERE org_id = $1', [stranger.id]);
    expect(count).toEqual({ count: '0' });
    expect(await told()).toEqual([]);
  });

  it('says that it is over once it has stayed so', async () => {
    await aWatcher();
    const anomaly = await failing('cpu');
    await planAfter(4);
    await change(anomaly, `state = 'resolved', close_reason = 'recovered', end_timestamp = ${String(START + 60)}`);
    await planAfter(60);
    expect(await said()).toEqual(['opened webhook queued']);
    await planAfter(61);
    expect(await said()).toEqual(['opened webhook queued', 'recovered webhook queued']);
  });

  it('is silent about what is acknowledged before a message leaves', async () => {
    await aWatcher();
    const anomaly = await failing('cpu');
    await plan();
    const by = { userId: null, at: START, note: 'mine' };
    await app.get(Transactions).run((tx) => app.get(AnomalyRecorder).acknowledge(orgId, [anomaly], by, tx));
    await planAfter(4);
    expect(await said()).toEqual(['opened webhook suppressed acknowledged']);
  });

  it('keeps a message in that has not left when its anomaly turns out to be expected', async () => {
    await aWatcher();
    const anomaly = await failing('cpu');
    await planAfter(4);
    expect(await said()).toEqual(['opened webhook queued']);
    await change(anomaly, `state = 'trained', close_reason = 'trained'`);
    await plan();
    expect(await said()).toEqual(['opened webhook suppressed filter']);
  });

  it('takes a message back when its anomaly turns out to be expected', async () => {
    await aWatcher();
    const anomaly = await failing('cpu');
    await planAfter(4);
    await query(`UPDATE alert_delivery SET state = 'sent', due_at = NULL WHERE org_id = $1`, [orgId]);
    await change(anomaly, `state = 'trained', close_reason = 'trained'`);
    await plan();
    expect(await said()).toEqual(['opened webhook sent', 'recovered webhook queued']);
    const [{ key }] = (await told()) as [Told];
    expect((await contentOf(key)).summary).toContain('expected');
  });

  it('records what is muted or in a maintenance window', async () => {
    await aWatcher();
    await app.get(OrgService).update(orgId, { alertsMutedUntil: new Date((START + 600) * 1000) });
    await failing('cpu');
    await planAfter(4);
    expect(await said()).toEqual(['opened webhook suppressed muted']);
    await query(`INSERT INTO exclusion (org_id, type_id, chips, reason) VALUES ($1, 4, '{"host:web-1"}', '')`, [orgId]);
    await app.get(ExclusionDirectory).refresh();
    await app.get(OrgService).update(orgId, { alertsMutedUntil: null });
    app.clock.seconds += 600;
    await failing('cpu', 'web-1');
    await planAfter(4);
    expect((await said()).sort()).toEqual([
      'opened webhook queued',
      'opened webhook suppressed exclusion',
      'opened webhook suppressed muted',
    ]);
  });

  it('sends one message per metric within the expiration', async () => {
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
    expect(await said()).toEqual([
      'opened webhook queued',
      'recovered webhook queued',
      'opened webhook suppressed expiration',
    ]);
    await planAfter(3600);
    expect((await said()).at(-1)).toBe('opened webhook queued');
  });

  it('never alerts on history and on verdicts on the past', async () => {
    await aWatcher();
    const anomaly = await failing('cpu');
    await change(anomaly, 'backfill = true');
    const other = await failing('disk', 'web-1');
    await app.get(Transactions).run((tx) => app.get(AnomalyRecorder).setQuiet(orgId, [other], tx));
    await planAfter(4);
    expect(await told()).toEqual([]);
  });

  it.each([
    ['in one incident', 6000],
    ['that have nothing telling in common', 0],
  ])(
    'makes one message of 2,000 anomalies %s, and loses none of them',
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
      expect(await said()).toEqual(['opened webhook queued', 'opened pagerduty queued']);
      const [{ key }] = (await told()) as [Told];
      expect(await contentOf(key)).toMatchObject({ metricsCount: 2000 });
      const [{ count }] = (await query(
        `SELECT count(*)::integer FROM alert_subject s JOIN alert a ON a.id = s.alert_id WHERE a.org_id = $1 AND a.key = $2`,
        [orgId, key],
      )) as [{ count: number }];
      expect(count).toBe(2000);
    },
    60_000,
  );

  it('decides again, and once, what a process did not finish', async () => {
    await aWatcher();
    await failing('cpu');
    await plan();
    // The process dies after the outbox was written and before the commit.
    await query(
      `CREATE FUNCTION die() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'killed'; END $$`,
      [],
    );
    await query(
      'CREATE CONSTRAINT TRIGGER killed AFTER UPDATE ON alert_plan DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION die()',
      [],
    );
    app.clock.seconds += 4;
    // A round does nothing while the application's own has the organisation, which is killed as well.
    let failure: unknown;
    while (failure === undefined)
      failure = await app
        .get(AlertPlanner)
        .run()
        .then(() => undefined, messageOf);
    expect(failure).toContain('killed');
    expect(await told()).toEqual([]);
    await query('DROP TRIGGER killed ON alert_plan', []);
    await query('DROP FUNCTION die', []);
    await plan();
    expect(await said()).toEqual(['opened webhook queued']);
  });

  it('makes one of messages whose incidents turn out to be one', async () => {
    await aWatcher();
    const left = await failing('cpu', 'a');
    const right = await failing('disk', 'b');
    await planAfter(4);
    expect(await said()).toEqual(['opened webhook queued', 'opened webhook queued']);
    await query(`UPDATE alert_delivery SET state = 'sent', due_at = NULL WHERE org_id = $1`, [orgId]);
    const [{ id }] = (await query('SELECT incident_id AS id FROM incident_anomaly WHERE anomaly_id = $1', [left])) as [
      { id: number },
    ];
    await query('UPDATE incident_anomaly SET incident_id = $2 WHERE anomaly_id = $1', [right, id]);
    await change(right, 'severity = 45');
    await plan();
    expect((await said()).slice(2)).toEqual(['recovered webhook queued']);
  });
});
