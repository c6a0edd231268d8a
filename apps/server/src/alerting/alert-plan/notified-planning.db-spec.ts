import { HandClock } from '../../../../../test/support/hand-clock.js';
import { MetricApp } from '../../../../../test/support/metric-app.js';
import { until } from '../../../../../test/support/product.js';
import { ANOMALY_CHANGE_CHANNEL } from '../../analysis/incident/incident.types.js';
import { DatabaseNotifications } from '../../common/database/notifications.js';
import { NotificationDrivenWork } from '../../common/database/notification-driven-work.js';
import { THRESHOLD_CHANGE_CHANNEL } from '../threshold/threshold.types.js';
import { AlertPlanModule } from './alert-plan.module.js';
import { ALERT_CHANGE_CHANNEL } from './alert-plan.types.js';

const AN_HOUR_MS = 3_600_000;

/** Its own timer does not fire during a test. */
class Listening extends NotificationDrivenWork {
  rounds = 0;
  protected override readonly notifications: DatabaseNotifications;

  constructor(channel: string, from: DatabaseNotifications) {
    super({ everyMs: AN_HOUR_MS, failure: 'The work could not be done' }, channel, 0);
    this.notifications = from;
  }

  protected work(): Promise<void> {
    this.rounds++;
    return Promise.resolve();
  }
}

let app: MetricApp;
let orgId: number;
let notifications: DatabaseNotifications;
const startedWork: Listening[] = [];

beforeAll(async () => {
  app = await MetricApp.create({ clock: new HandClock() }, [AlertPlanModule]);
});
afterAll(() => app.close());
beforeEach(async () => {
  orgId = (await app.anOrg()).id;
  notifications = new DatabaseNotifications(app.database.dataSource);
});
afterEach(async () => {
  await Promise.all(startedWork.splice(0).map((work) => work.beforeApplicationShutdown()));
  await notifications.onModuleDestroy();
});

/** Work whose listener is connected, which causes a first round. */
async function listening(channel: string): Promise<Listening> {
  const work = new Listening(channel, notifications);
  startedWork.push(work);
  work.onApplicationBootstrap();
  await rounds(work, 1);
  return work;
}

const rounds = (work: Listening, count: number): Promise<true> =>
  until(`${String(count)} rounds`, async () => (work.rounds >= count ? true : undefined), { everyMs: 5 });

async function anAnomaly(): Promise<number> {
  const metricId = await app.aMetric(orgId, `cpu-${String(Math.random())}`);
  return app.anAnomaly(orgId, metricId, app.clock.seconds);
}

describe('work driven by database notifications', () => {
  it.each([ANOMALY_CHANGE_CHANNEL, ALERT_CHANGE_CHANNEL])(
    'runs on %s after an anomaly is created or changed',
    async (channel) => {
      const work = await listening(channel);
      const before = work.rounds;
      const id = await anAnomaly();
      await rounds(work, before + 1);
      const between = work.rounds;
      await app.database.dataSource.query('UPDATE anomaly SET severity = 99 WHERE id = $1', [id]);
      await rounds(work, between + 1);
    },
  );

  it('runs after an anomaly joins an incident', async () => {
    const anomalyId = await anAnomaly();
    const work = await listening(ALERT_CHANGE_CHANNEL);
    const before = work.rounds;
    await app.database.dataSource.query(
      `WITH made AS (
         INSERT INTO incident (org_id, state, title, start_timestamp, last_start_timestamp, severity, anomalies_count,
                metrics_count, common_labels, origins, backfill)
         VALUES ($1, 'open', '', 0, 0, 0, 0, 0, '{}', '[]', false) RETURNING id)
       INSERT INTO incident_anomaly (anomaly_id, incident_id, org_id) SELECT $2, id, $1 FROM made`,
      [orgId, anomalyId],
    );
    await rounds(work, before + 1);
  });

  it('runs after a threshold change', async () => {
    const metricId = await app.aMetric(orgId, 'latency');
    const [watcher] = await app.database.dataSource.query<{ id: number }[]>(
      `INSERT INTO watcher (org_id, type, name, chips, alert, min_severity, min_duration_seconds, direction, kinds,
              pagerduty, alertmanager, webhook, expiration_time, expiration_time_unit, expiration_seconds)
       VALUES ($1, 'threshold', 'Slow', '{}', true, 0, 0, 'both', '{}', false, false, true, 3600, 'second', 3600)
       RETURNING id`,
      [orgId],
    );
    const work = await listening(THRESHOLD_CHANGE_CHANNEL);
    const before = work.rounds;
    await app.database.dataSource.query(
      `INSERT INTO threshold_change (org_id, watcher_id, metric_id, type, timestamp, value, threshold)
       VALUES ($1, $2, $3, 'breached', $4, 600, 500)`,
      [orgId, watcher!.id, metricId, app.clock.seconds],
    );
    await rounds(work, before + 1);
  });
});
