import { HandClock, START } from '../../../../../test/support/hand-clock.js';
import { MetricApp } from '../../../../../test/support/metric-app.js';
import { PlannedOrg } from '../../../../../test/support/planned-org.js';
import { until } from '../../../../../test/support/product.js';
import { WebhookReceiver } from '../../../../../test/support/webhook-receiver.js';
import { AnomalyRecordingService } from '../../analysis/anomaly/anomaly-recording.service.js';
import { IncidentGroupingModule } from '../../analysis/incident/incident-grouping.module.js';
import { Transactions } from '../../common/database/transactions.js';
import { OrgService } from '../../people/org/org.service.js';
import { AlertDeliveryModule } from '../alert/alert-delivery.module.js';
import { AlertDeliveryService } from '../alert/alert-delivery.service.js';
import { AlertRecordsService } from '../alert/alert-records.service.js';
import { findService } from '../integration/service-lookup.functions.js';
import { IntegrationModule } from '../integration/integration.module.js';
import { type StoredValues } from '../integration/service-definition.types.js';
import { SettingsStoreService } from '../integration/settings-store.service.js';
import { AlertPlanModule } from './alert-plan.module.js';

const SECRET = `whsec_${'QUJD'.repeat(8)}`;
const EVENTS = ['anomaly.opened', 'anomaly.updated', 'anomaly.closed'];
/** Hundreds of messages; on a slow machine each may take half a second. */
const STORM_MS = 300_000;
/** Longer than the wait before a first message. */
const HELD_SECONDS = 4;

let app: MetricApp;
let org: PlannedOrg;
let receiver: WebhookReceiver;

beforeAll(async () => {
  app = await MetricApp.create({ clock: new HandClock(), env: { PLUMBLINE_OUTGOING: 'any' } }, [
    AlertDeliveryModule,
    AlertPlanModule,
    IncidentGroupingModule,
    IntegrationModule,
  ]);
});
afterAll(() => app.close());
beforeEach(async () => {
  app.clock.seconds = START;
  org = await anotherOrg();
  receiver = await aReceiver();
});
afterEach(() => receiver.close());

const aReceiver = (): Promise<WebhookReceiver> => new WebhookReceiver(SECRET, () => app.clock.seconds).listen();

async function anotherOrg(): Promise<PlannedOrg> {
  return new PlannedOrg(app, (await app.anOrg({ timezone: 'UTC' })).id);
}

/** Connects a webhook that receives messages about anomalies, unless `settings` say otherwise. */
async function connect(settings: StoredValues = {}, to = receiver, of = org): Promise<void> {
  await app.get(Transactions).run(async (tx) => {
    await app.get(OrgService).lock(of.id, tx);
    const values = { url: `${to.url}/hook`, secret: SECRET, events: EVENTS, ...settings };
    await app.get(SettingsStoreService).write(of.id, findService('webhook')!, values, tx);
  });
}

interface Body {
  type: string;
  timestamp: string;
  data: { anomaly: { id: number }; [member: string]: unknown };
}

const bodies = (): Body[] => receiver.taken.map(({ body }) => body as unknown as Body);
const types = (): string[] => bodies().map(({ type }) => type);

/** Delivers until no message is pending. The application delivers too, so it waits while the number falls. */
async function sendAll(): Promise<void> {
  for (let before = Infinity; before > 0;) {
    before = await until('more messages to be sent', async () => {
      await app.get(AlertDeliveryService).deliverAll();
      const left = await org.query(
        `SELECT id FROM alert_delivery WHERE org_id = $1 AND state IN ('queued', 'retrying')`,
        [org.id],
      );
      return left.length < before ? left.length : undefined;
    });
  }
}

const notices = (): Promise<{ state: string; phase: string; by: string | null }[]> =>
  org.query(
    `SELECT d.state, d.phase, d.suppressed_by AS by FROM alert a JOIN alert_delivery d ON d.alert_id = a.id
     WHERE a.org_id = $1 AND a.key LIKE 'event/%' ORDER BY d.id`,
    [org.id],
  );

const untilRetrying = (): Promise<true> =>
  until('the first try to be over', async () => {
    const [first] = await notices();
    return first?.state === 'retrying' ? true : undefined;
  });

const untilTaken = (): Promise<true> =>
  until('the message to be taken', async () => {
    app.clock.seconds += 5;
    await app.get(AlertDeliveryService).deliverAll();
    return receiver.taken.length > 0 ? true : undefined;
  });

describe('webhook messages about single anomalies', () => {
  it('are sent once for each opening, change and end of an anomaly', async () => {
    await connect();
    const watcherId = await org.aWatcher({ name: 'Hosts' });
    const id = await org.failing('cpu');
    await org.planAfter(HELD_SECONDS);
    await sendAll();
    expect(types()).toEqual(['anomaly.opened']);
    await org.change(id, 'severity = 45');
    await org.plan();
    // The severity label is unchanged, so there is no message.
    await sendAll();
    expect(types()).toHaveLength(1);
    await org.change(id, 'severity = 80');
    await org.plan();
    await sendAll();
    const by = { userId: null, at: START, note: 'mine' };
    await app.get(Transactions).run((tx) => app.get(AnomalyRecordingService).acknowledge(org.id, [id], by, tx));
    await org.plan();
    await sendAll();
    await org.change(id, `state = 'resolved', close_reason = 'recovered', end_timestamp = ${String(START + 60)}`);
    await org.plan();
    await sendAll();
    // The recovery of the incident is not a change of the anomaly.
    await org.planAfter(200);
    await sendAll();
    expect(types()).toEqual(['anomaly.opened', 'anomaly.updated', 'anomaly.updated', 'anomaly.closed']);
    const [opened, worse, acknowledged, closed] = bodies();
    const [incident] = await org.query<{ id: number }>('SELECT id FROM incident WHERE org_id = $1', [org.id]);
    expect(opened).toMatchObject({
      // On a slow machine, the process plans the message before this test does.
      timestamp: expect.stringMatching(/^2025-10-09T08:53:2\dZ$/) as string,
      data: {
        anomaly: {
          id,
          metric: 'cpu{host="db-1"}',
          timestamp: START,
          state: 'open',
          severity: 40,
          incident_id: incident!.id,
        },
        org: { id: org.id, name: 'Example Ltd' },
        watcher: { id: watcherId, name: 'Hosts' },
        links: {
          console: expect.stringMatching(new RegExp(`/anomaly/${String(id)}$`)) as string,
          graph: expect.stringContaining('/graph?') as string,
          image: expect.stringContaining(`anomaly_id=${String(id)}`) as string,
        },
      },
    });
    expect(worse!.data.anomaly).toMatchObject({ severity: 80, severity_label: 'critical', acknowledged_at: null });
    expect(acknowledged!.data.anomaly).toMatchObject({ acknowledged_at: START, acknowledge_note: 'mine' });
    expect(closed!.data.anomaly).toMatchObject({
      state: 'resolved',
      until_timestamp: START + 60,
      out_until_timestamp: START + 120,
    });
    expect(new Set(receiver.taken.map(({ id: message }) => message)).size).toBe(receiver.received.length);
  });

  it('are sent for each anomaly of an incident, which counts as one alert', async () => {
    await connect({ events: ['incident.opened', ...EVENTS] });
    await org.aWatcher();
    const ids = [await org.failing('cpu'), await org.failing('disk'), await org.failing('net')];
    await org.planAfter(HELD_SECONDS);
    await sendAll();
    expect(types().sort()).toEqual(['anomaly.opened', 'anomaly.opened', 'anomaly.opened', 'incident.opened']);
    const notifiedIds = bodies().flatMap(({ data }) => ('anomaly' in data ? data.anomaly.id : []));
    expect(notifiedIds.sort((a, b) => a - b)).toEqual(ids);
    expect(await app.get(AlertRecordsService).count(org.id, app.clock.now())).toMatchObject({ last24h: 1 });
  });

  it.each([
    ['has not subscribed to them', { events: ['incident.opened', 'incident.closed'] }],
    ['has switched its webhook off', { enabled: false }],
    [
      'receives the Alertmanager body, which already lists the anomalies of an incident',
      { events: ['incident.opened', ...EVENTS], payload: 'alertmanager' },
    ],
  ])('are not queued for an organisation that %s', async (_, settings: StoredValues) => {
    await connect(settings);
    await org.aWatcher();
    await org.failing('cpu');
    await org.planAfter(HELD_SECONDS);
    expect(await notices()).toEqual([]);
  });

  it('cover only anomalies that a watcher reports by webhook', async () => {
    await connect();
    await org.aWatcher({ chips: ['host:db-1'] });
    await org.aWatcher({ webhook: false, pagerduty: true });
    await org.failing('cpu', 'web-1');
    await org.planAfter(HELD_SECONDS);
    expect(await notices()).toEqual([]);
    const id = await org.failing('cpu');
    await org.planAfter(HELD_SECONDS);
    await sendAll();
    expect(bodies().map(({ data }) => data.anomaly.id)).toEqual([id]);
  });

  it('report an opening once, also with two watchers or when the incident changes', async () => {
    await connect();
    await org.aWatcher();
    await org.aWatcher();
    const left = await org.failing('cpu', 'a');
    const right = await org.failing('disk', 'b');
    await org.planAfter(HELD_SECONDS);
    await sendAll();
    const [{ id }] = (await org.query('SELECT incident_id AS id FROM incident_anomaly WHERE anomaly_id = $1', [
      left,
    ])) as [{ id: number }];
    await org.query('UPDATE incident_anomaly SET incident_id = $2 WHERE anomaly_id = $1', [right, id]);
    await org.change(right, 'severity = 45');
    await org.planAfter(60);
    await sendAll();
    expect(types()).toEqual(['anomaly.opened', 'anomaly.opened']);
  });

  it('are retried with the same id', async () => {
    await connect();
    await org.aWatcher();
    await org.failing('cpu');
    receiver.mood = { status: 503 };
    await org.planAfter(HELD_SECONDS);
    await until('the first try', async () => (receiver.received.length > 0 ? true : undefined));
    receiver.mood = 'well';
    await untilTaken();
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(types()).toEqual(['anomaly.opened']);
  });

  it('report the opening with the new severity when it changes before the first delivery', async () => {
    await connect();
    await org.aWatcher();
    const id = await org.failing('cpu');
    receiver.mood = { status: 503 };
    await org.planAfter(HELD_SECONDS);
    await untilRetrying();
    await org.change(id, 'severity = 80');
    await org.plan();
    receiver.mood = 'well';
    await untilTaken();
    await sendAll();
    expect(bodies()[0]).toMatchObject({ type: 'anomaly.opened', data: { anomaly: { severity: 80 } } });
    expect(types()).toHaveLength(1);
  });

  it('are suppressed when the anomaly turns out to be expected before delivery', async () => {
    await connect();
    await org.aWatcher();
    const id = await org.failing('cpu');
    receiver.mood = { status: 503 };
    await org.planAfter(HELD_SECONDS);
    await untilRetrying();
    await org.change(id, `state = 'trained', close_reason = 'trained'`);
    await org.plan();
    expect(await notices()).toEqual([{ state: 'suppressed', phase: 'opened', by: 'filter' }]);
  });

  it('report the end when the anomaly turns out to be expected after delivery', async () => {
    await connect();
    await org.aWatcher();
    const id = await org.failing('cpu');
    await org.planAfter(HELD_SECONDS);
    await sendAll();
    await org.change(id, `state = 'trained', close_reason = 'trained'`);
    await org.plan();
    await sendAll();
    expect(types()).toEqual(['anomaly.opened', 'anomaly.closed']);
    expect(bodies()[1]!.data.anomaly).toMatchObject({ id, state: 'trained', close_reason: 'trained' });
  });

  it('report the end of an anomaly, but no changes, while alerts are muted', async () => {
    await connect();
    await org.aWatcher();
    const id = await org.failing('cpu');
    await org.planAfter(HELD_SECONDS);
    await sendAll();
    await app.get(OrgService).update(org.id, { alertsMutedUntil: new Date((START + 600) * 1000) });
    await org.change(id, 'severity = 80');
    await org.plan();
    expect(await notices()).toHaveLength(1);
    await org.change(id, `state = 'resolved', close_reason = 'recovered', end_timestamp = ${String(START + 60)}`);
    await org.plan();
    await sendAll();
    expect(types()).toEqual(['anomaly.opened', 'anomaly.closed']);
  });

  it('are sent only to the webhook of their own organisation', async () => {
    const stranger = await anotherOrg();
    const theirs = await aReceiver();
    try {
      await connect();
      await connect({}, theirs, stranger);
      await org.aWatcher();
      await stranger.aWatcher();
      const [mine, other] = [await org.failing('cpu'), await stranger.failing('cpu')];
      await org.plan();
      await stranger.planAfter(HELD_SECONDS);
      await org.plan();
      await until('both to be taken', async () => {
        await app.get(AlertDeliveryService).deliverAll();
        return receiver.taken.length > 0 && theirs.taken.length > 0 ? true : undefined;
      });
      const notifiedIds = (of: WebhookReceiver) =>
        of.taken.map(({ body }) => [(body as unknown as Body).data.org, (body as unknown as Body).data.anomaly.id]);
      expect(notifiedIds(receiver)).toEqual([[{ id: org.id, name: 'Example Ltd' }, mine]]);
      expect(notifiedIds(theirs)).toEqual([[{ id: stranger.id, name: 'Example Ltd' }, other]]);
    } finally {
      await theirs.close();
    }
  });

  it(
    'are sent for every anomaly of a storm',
    async () => {
      await connect();
      await org.aWatcher();
      await org.query(
        `INSERT INTO metric (org_id, name, name_hash, display_name, labels, type, aggregation, source)
       SELECT $1, n, sha256(n::bytea), n, '{"host": "db-1"}', 'gauge', 'last', 'http'
       FROM generate_series(1, 300) AS i, LATERAL (SELECT 'family_' || i AS n) AS names`,
        [org.id],
      );
      await org.query(
        `INSERT INTO anomaly (org_id, metric_id, start_timestamp, peak_timestamp, score, severity, kind, state)
       SELECT $1, id, $2, $2, 0.8, 60, 'spike', 'open' FROM metric WHERE org_id = $1 AND name LIKE 'family%'`,
        [org.id, app.clock.seconds],
      );
      await org.planAfter(8);
      expect(await notices()).toHaveLength(300);
      await sendAll();
      expect(new Set(bodies().map(({ data }) => data.anomaly.id)).size).toBe(300);
    },
    STORM_MS,
  );
});
