import { type AddressInfo } from 'node:net';
import { Permission } from '#libs/contracts';
import { anAlert, KeepingChannel, mailTo, to } from '../../../../../test/support/alerts.js';
import { EventStream } from '../../../../../test/support/event-stream.js';
import { HandClock, START } from '../../../../../test/support/hand-clock.js';
import { type Answer, MetricApp } from '../../../../../test/support/metric-app.js';
import { PlannedOrg } from '../../../../../test/support/planned-org.js';
import { NoisyMetricsModule } from '../../teaching/noisy-metrics/noisy-metrics.module.js';
import { IncidentGroupingModule } from '../../analysis/incident/incident-grouping.module.js';
import { IncidentGroupingService } from '../../analysis/incident/incident-grouping.service.js';
import { IncidentListModule } from '../../analysis/incident-list/incident-list.module.js';
import { TrainingModule } from '../../teaching/training/training.module.js';
import { Transactions } from '../../common/database/transactions.js';
import { OrgCountsService } from '../../views/organisation/org-counts.service.js';
import { OrganisationModule } from '../../views/organisation/organisation.module.js';
import { StreamModule } from '../../views/stream/stream.module.js';
import { WatcherModule } from '../watcher/watcher.module.js';
import { ChannelRegistryService } from '../channel/channel-registry.service.js';
import { serverReference } from '../channel/server-reference.functions.js';
import { AlertDeliveryModule } from './alert-delivery.module.js';
import { AlertDeliveryService } from './alert-delivery.service.js';
import { AlertOutboxService } from './alert-outbox.service.js';

let app: MetricApp;
let orgId: number;
let reader: { token: string };
let admin: { token: string };
let metricId: number;
let anomalyId: number;
let mail: KeepingChannel;

beforeAll(async () => {
  app = await MetricApp.create({ clock: new HandClock() }, [
    AlertDeliveryModule,
    NoisyMetricsModule,
    IncidentGroupingModule,
    IncidentListModule,
    OrganisationModule,
    StreamModule,
    TrainingModule,
    WatcherModule,
  ]);
  await app.app.listen(0);
  mail = new KeepingChannel('email');
  for (const channel of [mail, new KeepingChannel('teams_chat')]) app.get(ChannelRegistryService).register(channel);
});
afterAll(() => app.close());
beforeEach(async () => {
  app.clock.seconds = START;
  mail.taken.length = 0;
  mail.tries = 0;
  orgId = (await app.anOrg({ timezone: 'UTC' })).id;
  reader = { token: await app.aToken(orgId, Permission.Read, Permission.Alert, Permission.Write) };
  admin = { token: await app.aToken(orgId, Permission.Read, Permission.Admin) };
  metricId = await app.aMetric(orgId, 'latency');
  anomalyId = await app.anAnomaly(orgId, metricId, START - 60);
});

const get = (path: string, by = reader): Promise<Answer> => app.call('get', path, by);

async function enqueue(overrides: Parameters<typeof anAlert>[1] = {}): Promise<void> {
  const alert = anAlert(orgId, { metricId, anomalyId, key: `anomaly/${String(anomalyId)}`, ...overrides });
  await app.get(Transactions).run((tx) => app.get(AlertOutboxService).enqueue(alert, tx));
}

async function sent(overrides: Parameters<typeof anAlert>[1] = {}): Promise<void> {
  await enqueue(overrides);
  for (;;) {
    await app.get(AlertDeliveryService).deliverAll();
    const [waiting] = await app.database.dataSource.query<unknown[]>(
      `SELECT 1 FROM alert_delivery WHERE org_id = $1 AND state IN ('queued', 'retrying') LIMIT 1`,
      [orgId],
    );
    if (waiting === undefined) return;
  }
}

/** Date and time without weekday and zone (version 1.13 of the API). */
const SHORT: unknown = expect.stringMatching(/^[A-Z][a-z]+ \d+(st|nd|rd|th) \d{4}, \d\d:\d\d$/);

describe('the record of an alert', () => {
  it('appears in the anomaly, with contact data only for administrators and the recipient', async () => {
    const ann = await app.aUser(orgId, 'Ann');
    const teams = serverReference('https://teams.example.org/workflows/secret?sig=secret');
    const watcherId = await new PlannedOrg(app, orgId).aWatcher();
    await sent({
      watcherId,
      watcherName: 'API errors',
      destinations: [mailTo(ann.email!, ann.id), to('teams_chat', teams)],
    });
    const path = `/anomaly/${String(anomalyId)}`;
    const { data } = await get(path);
    const common = {
      kind: 'anomaly',
      anomaly_id: anomalyId,
      watcher_id: watcherId,
      watcher_name: 'API errors',
      attempts: 1,
    };
    const rest = { state: 'sent', suppressed_by: null, message: '', timestamp: START, timestamp_string: SHORT };
    expect(data.alerts).toEqual([
      expect.objectContaining({ ...common, ...rest, channel: 'teams_chat', recipient: 'teams.example.org' }),
      expect.objectContaining({ ...common, ...rest, channel: 'email', recipient: '' }),
    ]);
    expect((await get(path, admin)).data.alerts[1].recipient).toBe(ann.email);
    const session = await app.aSession(ann.id);
    expect((await app.call('get', path, { session })).data.alerts[1].recipient).toBe(ann.email);
    const lookup = await get(`/anomaly/lookup?metric=latency&timestamp=${String(START - 60)}`);
    expect(lookup.data.alerts).toHaveLength(2);
    expect(JSON.stringify([data, lookup.data])).not.toContain('secret');
  });

  it('keeps the title and the phase of each message', async () => {
    const watcherId = await new PlannedOrg(app, orgId).aWatcher({ chips: ['latency'] });
    const about = (phase: 'opened' | 'updated' | 'recovered', title: string) => ({ watcherId, phase, title });
    await sent(about('opened', 'Major: one metric'));
    await sent({ ...about('updated', 'Critical: four metrics'), needsNewMessage: true });
    await sent(about('recovered', 'Recovered: four metrics'));
    const reopened = anAlert(orgId, { watcherId, metricId, anomalyId, key: 'again', title: 'Minor: once more' });
    await app.get(Transactions).run((tx) => app.get(AlertOutboxService).suppress(reopened, 'muted', tx));
    const shown = [
      { phase: 'opened', title: 'Minor: once more', state: 'suppressed' },
      { phase: 'recovered', title: 'Recovered: four metrics' },
      { phase: 'updated', title: 'Critical: four metrics' },
      { phase: 'opened', title: 'Major: one metric' },
    ];
    const path = `/anomaly/${String(anomalyId)}`;
    expect((await get(path)).data.alerts).toMatchObject(shown);
    expect((await get(`/watcher/${String(watcherId)}`)).data.alerts).toMatchObject(shown);
    // A message of an earlier version.
    await app.database.dataSource.query(
      `UPDATE alert_delivery SET title = NULL WHERE org_id = $1 AND title = 'Major: one metric'`,
      [orgId],
    );
    expect((await get(path)).data.alerts[3]).toMatchObject({ phase: 'opened', title: 'Recovered: four metrics' });
  });

  it('counts once per alert, regardless of recipients and messages', async () => {
    await sent({ destinations: [mailTo('ann@example.org'), mailTo('bob@example.org')] });
    await sent({ phase: 'recovered' });
    await sent({ kind: 'test', key: 'test/1', metricId: null, anomalyId: null });
    app.clock.seconds += 1;
    await app
      .get(Transactions)
      .run((tx) => app.get(AlertOutboxService).suppress(anAlert(orgId, { key: 'quiet' }), 'muted', tx));
    const { summary } = (await get('/org/summary')).data;
    expect(summary.alerts).toEqual({ last_24h: 1, last_7d: 1, suppressed_7d: 1 });
    expect((await get('/org/overview')).data.counts.alerts_last_24h).toBe(1);
    const { series } = await app.get(OrgCountsService).countOverTime(orgId, {}, ['alerts']);
    expect(series[0]!.points.reduce((sum, [, count]) => sum + count, 0)).toBe(1);
    const noisiest = (await get('/metrics/noisiest')).data;
    expect(noisiest).toMatchObject({ total_alerts: 1, metrics: [{ metric_id: metricId, alerts: 1 }] });
    const exclusion = (await app.call('post', '/exclusion/test', reader, { chips: ['latency'] })).data;
    expect(exclusion.alerts_last_7_days).toBe(1);
  });

  it('appears in the timeline of the incident', async () => {
    await sent();
    for (;;) {
      await app.get(IncidentGroupingService).run();
      const incidents = (await get('/incidents')).data.incidents as { id: number }[];
      if (incidents.length === 0) continue;
      const { timeline } = (await get(`/incidents/${String(incidents[0]!.id)}`)).data;
      expect(timeline).toEqual([
        { timestamp: START - 60, metric: 'latency', anomaly_id: anomalyId, what: 'opened' },
        { timestamp: START, metric: 'latency', anomaly_id: anomalyId, what: 'alerted' },
      ]);
      return;
    }
  });

  it('is streamed as an event, with contact data only for administrators', async () => {
    const { port } = (app.app.getHttpServer() as { address(): AddressInfo }).address();
    const url = `http://127.0.0.1:${String(port)}/api/stream?types=alert.sent`;
    const streams = await Promise.all(
      [reader, admin].map(({ token }) => EventStream.open(url, { 'X-Auth-Token': token })),
    );
    await sent();
    const [ofReader, ofAdmin] = await Promise.all(streams.map((stream) => stream.events(1)));
    const alert = { channel: 'email', state: 'sent', anomaly_id: anomalyId };
    expect(ofReader![0]).toMatchObject({ event: 'alert.sent', data: { alert: { ...alert, recipient: '' } } });
    expect(ofAdmin![0]!.data).toMatchObject({ alert: { ...alert, recipient: 'ann@example.org' } });
    for (const stream of streams) stream.close();
  });

  it('is hidden from other organisations', async () => {
    await sent();
    const stranger = (await app.anOrg()).id;
    const token = await app.aToken(stranger, Permission.Read, Permission.Admin);
    expect((await get(`/anomaly/${String(anomalyId)}`, { token })).status).toBe(404);
    expect((await get('/org/summary', { token })).data.summary.alerts.last_24h).toBe(0);
    expect((await get('/metrics/noisiest', { token })).data.total_alerts).toBe(0);
  });
});

it('an acknowledgement suppresses queued alerts about the anomaly', async () => {
  await enqueue({ holdSeconds: 5 });
  const answer = await app.call('post', `/anomaly/${String(anomalyId)}/acknowledge`, reader, {});
  expect(answer.status).toBe(200);
  app.clock.seconds += 5;
  await app.get(AlertDeliveryService).deliverAll();
  expect(mail.tries).toBe(0);
  const { alerts } = (await get(`/anomaly/${String(anomalyId)}`)).data;
  expect(alerts).toMatchObject([
    { state: 'suppressed', suppressed_by: 'acknowledged', attempts: 0, title: 'Latency of web-1 is too high' },
  ]);
});
