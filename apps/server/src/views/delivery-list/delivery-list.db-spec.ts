import { Permission } from '#libs/contracts';
import { anAlert, KeepingChannel, mailTo, to } from '../../../../../test/support/alerts.js';
import { HandClock, START } from '../../../../../test/support/hand-clock.js';
import { type Answer, MetricApp } from '../../../../../test/support/metric-app.js';
import { PlannedOrg } from '../../../../../test/support/planned-org.js';
import { AlertDeliveryModule } from '../../alerting/alert/alert-delivery.module.js';
import { AlertDeliveryService } from '../../alerting/alert/alert-delivery.service.js';
import { AlertOutboxService } from '../../alerting/alert/alert-outbox.service.js';
import { ChannelRegistryService } from '../../alerting/channel/channel-registry.service.js';
import { ChannelError } from '../../alerting/channel/channel.errors.js';
import { WatcherModule } from '../../alerting/watcher/watcher.module.js';
import { Transactions } from '../../common/database/transactions.js';
import { DeliveryListModule } from './delivery-list.module.js';

let app: MetricApp;
let orgId: number;
let token: string;
let metricId: number;
let anomalyId: number;
let mail: KeepingChannel;
let chat: KeepingChannel;

beforeAll(async () => {
  app = await MetricApp.create({ clock: new HandClock() }, [AlertDeliveryModule, DeliveryListModule, WatcherModule]);
  mail = new KeepingChannel('email');
  chat = new KeepingChannel('chat');
  for (const channel of [mail, chat]) app.get(ChannelRegistryService).register(channel);
});
afterAll(() => app.close());
beforeEach(async () => {
  app.clock.seconds = START;
  for (const channel of [mail, chat]) {
    channel.taken.length = 0;
    channel.onSend = () => undefined;
  }
  orgId = (await app.anOrg({ timezone: 'UTC' })).id;
  token = await app.aToken(orgId, Permission.Read, Permission.Alert, Permission.Admin);
  metricId = await app.aMetric(orgId, 'latency');
  anomalyId = await app.anAnomaly(orgId, metricId, START - 60);
});

const list = (query = ''): Promise<Answer> => app.call('get', `/deliveries${query}`, { token });
const retry = (id: number, by = token): Promise<Answer> =>
  app.call('post', `/delivery/${String(id)}/retry`, { token: by });

async function send(overrides: Parameters<typeof anAlert>[1] = {}): Promise<void> {
  const alert = anAlert(orgId, { metricId, anomalyId, ...overrides });
  await app.get(Transactions).run((tx) => app.get(AlertOutboxService).enqueue(alert, tx));
  await app.get(AlertDeliveryService).deliverAll();
}

const refuse = (): never => {
  throw new ChannelError('never', 'the channel #ops is archived');
};

interface Shown {
  id: number;
  channel: string;
  state: string;
}
const shown = ({ data }: Answer): string[] =>
  (data.deliveries as Shown[]).map(({ channel, state }) => `${channel} ${state}`);

describe('GET /deliveries', () => {
  it('lists sent and failed deliveries with recipient and reason, newest first', async () => {
    chat.onSend = refuse;
    const watcherId = await new PlannedOrg(app, orgId).aWatcher();
    await send({ key: 'one', watcherId, watcherName: 'API errors', destinations: [mailTo('ann@example.org')] });
    app.clock.seconds += 60;
    await send({ key: 'two', destinations: [to('chat', '#ops')] });
    const { status, data } = await list();
    expect(status).toBe(200);
    expect(data).toMatchObject({ total: 2, limit: 100, offset: 0, from: START + 60 - 86_400, until: START + 60 });
    expect(data.deliveries).toEqual([
      expect.objectContaining({
        channel: 'chat',
        recipient: '#ops',
        state: 'failed',
        message: 'the channel #ops is archived',
        title: 'Latency of web-1 is too high',
        phase: 'opened',
        created_timestamp: START + 60,
        next_attempt_timestamp: null,
      }),
      expect.objectContaining({
        channel: 'email',
        recipient: 'ann@example.org',
        state: 'sent',
        watcher_id: watcherId,
        watcher_name: 'API errors',
        anomaly_id: anomalyId,
        timestamp: START,
      }),
    ]);
  });

  it('filters by state, channel, kind, watcher and anomaly', async () => {
    chat.onSend = refuse;
    const watcherId = await new PlannedOrg(app, orgId).aWatcher();
    await send({ key: 'one', watcherId, destinations: [mailTo('ann@example.org')] });
    await send({ key: 'two', destinations: [to('chat', '#ops')] });
    await send({ key: 'three', kind: 'test', metricId: null, anomalyId: null, destinations: [mailTo('bob@a.org')] });
    expect(shown(await list('?state=failed'))).toEqual(['chat failed']);
    expect(shown(await list('?channel=email&kind=anomaly'))).toEqual(['email sent']);
    expect(shown(await list(`?watcher_id=${String(watcherId)}`))).toEqual(['email sent']);
    expect(shown(await list(`?anomaly_id=${String(anomalyId)}`))).toEqual(['chat failed', 'email sent']);
    expect(shown(await list('?kind=test'))).toEqual(['email sent']);
    expect((await list(`?until=${String(START - 1)}`)).data.total).toBe(0);
    expect((await list('?watcher_id=999999')).status).toBe(404);
    expect((await list('?incident_id=999999')).status).toBe(404);
  });

  it('shows the next try of a retried delivery, and the reason of a suppressed one', async () => {
    chat.onSend = () => {
      throw new ChannelError('later', 'no answer');
    };
    await send({ key: 'one', destinations: [to('chat', '#ops')] });
    const quiet = anAlert(orgId, { key: 'two', destinations: [mailTo('ann@example.org')] });
    await app.get(Transactions).run((tx) => app.get(AlertOutboxService).suppress(quiet, 'muted', tx));
    const { deliveries } = (await list()).data as { deliveries: Record<string, unknown>[] };
    expect(deliveries).toEqual([
      expect.objectContaining({ state: 'suppressed', suppressed_by: 'muted', next_attempt_timestamp: null }),
      expect.objectContaining({ state: 'retrying', message: 'no answer' }),
    ]);
    expect(deliveries[1]!.next_attempt_timestamp).toBeGreaterThan(START);
  });
});

describe('POST /delivery/{delivery_id}/retry', () => {
  it('sends a failed delivery again, once, and records an audit entry', async () => {
    chat.onSend = refuse;
    await send({ destinations: [to('chat', '#ops')] });
    const [{ id }] = (await list()).data.deliveries as [Shown];
    chat.onSend = () => undefined;
    const { status, data } = await retry(id);
    expect(status).toBe(200);
    expect(data.delivery).toMatchObject({ id, state: 'queued', attempts: 0, message: '' });
    expect((await retry(id)).data.delivery).toMatchObject({ state: 'queued' });
    await app.get(AlertDeliveryService).deliverAll();
    expect(chat.taken).toHaveLength(1);
    expect((await retry(id)).data.delivery).toMatchObject({ state: 'sent' });
    const acts = await app.database.dataSource.query<{ action: string; actor_type: string }[]>(
      'SELECT action, actor_type FROM audit_entry WHERE org_id = $1 AND object_id = $2',
      [orgId, String(id)],
    );
    expect(acts).toEqual([{ action: 'alert.resend', actor_type: 'token' }]);
  });

  it('rejects a suppressed or unknown delivery, and a caller without permission', async () => {
    const quiet = anAlert(orgId, { key: 'two', destinations: [mailTo('ann@example.org')] });
    await app.get(Transactions).run((tx) => app.get(AlertOutboxService).suppress(quiet, 'muted', tx));
    const [{ id }] = (await list()).data.deliveries as [Shown];
    expect((await retry(id)).status).toBe(409);
    expect((await retry(999_999)).status).toBe(404);
    expect((await retry(id, await app.aToken(orgId, Permission.Read))).status).toBe(403);
  });
});
