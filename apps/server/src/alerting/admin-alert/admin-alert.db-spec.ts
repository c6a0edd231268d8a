import { Permission } from '#libs/contracts';
import { KeepingChannel } from '../../../../../test/support/alerts.js';
import { START } from '../../../../../test/support/hand-clock.js';
import { type Answer, MetricApp } from '../../../../../test/support/metric-app.js';
import { until } from '../../../../../test/support/product.js';
import { RefusalCounts } from '../../common/telemetry/refusal-counts.js';
import { OrgService } from '../../people/org/org.service.js';
import { EventRecorderService } from '../../platform/event/event-recorder.service.js';
import { AlertDeliveryModule } from '../alert/alert-delivery.module.js';
import { ChannelRegistryService } from '../channel/channel-registry.service.js';
import { AdminAlertWatchService } from './admin-alert-watch.service.js';
import { AdminAlertModule } from './admin-alert.module.js';

let app: MetricApp;
let mail: KeepingChannel;
let webhook: KeepingChannel;
let orgId: number;
let token: string;
let annId: number;

beforeAll(async () => {
  app = await MetricApp.create(
    { env: { OPERATOR_EMAIL: 'operator@example.org', SMTP_HOST: '127.0.0.1', MAIL_FROM: 'plumbline@example.org' } },
    [AdminAlertModule, AlertDeliveryModule],
  );
});
afterAll(() => app.close());
beforeEach(async () => {
  app.clock.seconds = START;
  mail = new KeepingChannel('email');
  webhook = new KeepingChannel('webhook');
  for (const channel of [mail, webhook]) app.get(ChannelRegistryService).register(channel);
  // Silent metrics of earlier tests must not raise alerts in this one.
  await app.database.dataSource.query('UPDATE metric SET has_ended = true');
  orgId = (await app.anOrg({ name: 'Example Ltd' })).id;
  token = await app.aToken(orgId, Permission.Read, Permission.Admin, Permission.Alert);
  const ann = await app.aUser(orgId, 'Ann');
  annId = ann.id;
  await app.database.dataSource.transaction((tx) =>
    app.get(OrgService).setRecipients(orgId, { admin_email: [annId] }, tx),
  );
});

const call = (method: 'get' | 'post' | 'put', path: string, body?: object): Promise<Answer> =>
  app.call(method, path, { token }, body);

/** Runs a round after `seconds`. */
async function look(seconds = 0): Promise<void> {
  app.clock.seconds += seconds;
  await app.get(EventRecorderService).flush();
  await until('the round of this process', async () =>
    (await app.get(AdminAlertWatchService).run()) ? true : undefined,
  );
}

/** Messages of this organisation that a channel accepted. Alerts of earlier tests may still end meanwhile. */
const takenOf = (channel: KeepingChannel) => channel.taken.filter((message) => message.orgId === orgId);

/** What was sent to Ann, once there are `count` messages. */
async function sentTitles(count: number): Promise<string[]> {
  await until(`${String(count)} messages`, () => Promise.resolve(takenOf(mail).length >= count ? true : undefined));
  return takenOf(mail).map(({ content }) => `${content.phase}: ${content.title}`);
}

async function state(code: string): Promise<Record<string, unknown>> {
  return (await call('get', `/org/adminalert/${code}`)).data.alert as Record<string, unknown>;
}

const aMetric = (name: string, silence: number, { isOnlyHistory = false, ...labels } = {}) =>
  app.aMetric(orgId, name, { lastTimestamp: app.clock.seconds - silence, labels, isOnlyHistory });

const setStates = () =>
  app.database.dataSource.query(
    `UPDATE metric_search s SET state = CASE WHEN $2 - m.last_timestamp > 900 THEN 'stale' ELSE 'active' END
     FROM metric m WHERE m.id = s.metric_id AND m.org_id = $1`,
    [orgId, app.clock.seconds],
  );

const sends = (name: string) =>
  app.database.dataSource.query(`UPDATE metric SET last_timestamp = $3 WHERE org_id = $1 AND name = $2`, [
    orgId,
    name,
    app.clock.seconds,
  ]);

describe('admin alerts', () => {
  it('stay ok when a backfill ends', async () => {
    await aMetric('imported.cpu', 3600, { isOnlyHistory: true });
    await setStates();
    await look();
    await look(600);
    expect(await state('no_data')).toMatchObject({ state: 'ok' });
    expect(await state('stale_metrics')).toMatchObject({ state: 'ok' });
  });

  it('are five with defaults, sent to the administrators that the organisation names', async () => {
    const { data } = await call('get', '/org/adminalerts');
    const alerts = data.admin_alerts as Record<string, unknown>[];
    expect(alerts.map(({ id, code, configurable }) => [id, code, configurable])).toEqual([
      [1, 'no_data', true],
      [2, 'stale_metrics', true],
      [3, 'metric_quota_exceeded', false],
      [4, 'delivery_failed', true],
      [5, 'invalid_metrics', true],
    ]);
    expect(alerts[0]).toMatchObject({
      enabled: true,
      wait_seconds: 300,
      expiration_seconds: 3600,
      state: 'ok',
      last_notified_timestamp: null,
      alerts: [{ method: 'email', ref: String(annId), user: { id: annId } }],
      named: false,
    });
  });

  it('change through both forms of the call, write audit entries, and keep omitted settings', async () => {
    const changed = await call('put', '/org/adminalerts', {
      type_1_wait_seconds: 600,
      type_1_chat_channel: '#ops',
      admin_alerts: [{ id: 2, enabled: false, email_users: [annId] }],
    });
    expect(changed.status).toBe(200);
    expect(changed.data.message).toBe('OK');
    expect(changed.data.admin_alerts.slice(0, 2)).toMatchObject([
      { wait_seconds: 600, enabled: true, named: true, alerts: [{ method: 'chat', ref: '#ops', user: null }] },
      { enabled: false, alerts: [{ method: 'email' }] },
    ]);
    const older = await call('post', '/org/adminalerts', { type_2_enabled: 'true' });
    expect(older.headers).toMatchObject({ deprecation: 'true' });
    expect(older.data.admin_alerts[1].enabled).toBe(true);
    expect((await call('post', '/org/adminalerts', {})).data.admin_alerts).toEqual(older.data.admin_alerts);
    const entries = await app.database.dataSource.query<{ name: string }[]>(
      `SELECT object_id AS name FROM audit_entry WHERE org_id = $1 AND action = 'admin_alert.update' ORDER BY id`,
      [orgId],
    );
    expect(entries.map(({ name }) => name)).toEqual(['no_data', 'stale_metrics', 'stale_metrics']);
  });

  it.each([
    [{ type_3_enabled: false }, ['type_3_enabled read_only']],
    [{ admin_alerts: [{ id: 3, enabled: false }] }, ['admin_alerts.0.enabled read_only']],
    [{ type_1_wait_seconds: 299 }, ['type_1_wait_seconds out_of_range']],
    [{ type_1_expiration_seconds: 604_801 }, ['type_1_expiration_seconds out_of_range']],
    [{ type_6_enabled: true }, ['type_6_enabled unknown_parameter']],
    [{ type_1_email_users: [999_999_999] }, ['type_1_email_users unknown_user']],
    [{ type_1_enabled: true, admin_alerts: [{ id: 1 }] }, ['type_1_enabled duplicate_parameter']],
  ])('reject the change %j', async (body, wanted) => {
    const { status, data } = await call('put', '/org/adminalerts', body);
    expect(status).toBe(400);
    const details = data.error.details as { field: string; code: string }[];
    expect(details.map(({ field, code }) => `${field} ${code}`)).toEqual(wanted);
  });

  it('accept only channels that the chat has or that are already set', async () => {
    const chat = new KeepingChannel('chat');
    chat.places = ['#ops'];
    app.get(ChannelRegistryService).register(chat);
    const named = { type_1_chat_channel: '#nowhere', admin_alerts: [{ id: 2, chat_channel: '#there' }] };
    const refused = await call('put', '/org/adminalerts', { ...named, type_4_email_users: [999_999_999] });
    expect(refused.status).toBe(400);
    const details = refused.data.error.details as { field: string; code: string }[];
    expect(details.map(({ field, code }) => `${field} ${code}`).sort()).toEqual([
      'admin_alerts.0.chat_channel unknown_channel',
      'type_1_chat_channel unknown_channel',
      'type_4_email_users unknown_user',
    ]);
    expect((await call('put', '/org/adminalerts', { type_1_chat_channel: '#ops' })).status).toBe(200);
    // A channel that is already set is not looked up again.
    chat.places = [];
    expect((await call('put', '/org/adminalerts', { type_1_chat_channel: '#ops' })).status).toBe(200);
    expect((await call('put', '/org/adminalerts', { type_1_chat_channel: '' })).status).toBe(200);
    chat.places = null;
  });

  it('require a phone number for SMS recipients', async () => {
    const { data } = await call('put', '/org/adminalerts', { type_1_sms_users: [annId] });
    expect(data.error.details).toMatchObject([{ field: 'type_1_sms_users', code: 'user_lacks_phone' }]);
  });

  it('report by mail and webhook that all data has stopped, and that it flows again', async () => {
    await aMetric('web-1.cpu', 200);
    await look();
    expect(await state('no_data')).toMatchObject({ state: 'waiting', since_timestamp: START - 200 });
    await look(120);
    expect(await state('1')).toMatchObject({
      state: 'raised',
      affected_count: 1,
      affected_metrics: ['web-1.cpu'],
      message: 'No metric sends data any more.',
      last_notified_timestamp: START + 120,
    });
    expect(await sentTitles(1)).toEqual(['opened: All metrics stop receiving data (Example Ltd)']);
    await look(60);
    await sends('web-1.cpu');
    await look(30);
    expect(await sentTitles(2)).toHaveLength(2);
    expect(takenOf(mail)[1]!.content).toMatchObject({ kind: 'admin', phase: 'recovered' });
    expect(await state('no_data')).toMatchObject({ state: 'ok', message: '', affected_metrics: [] });
    await until('the webhook', () => Promise.resolve(takenOf(webhook).length === 2 ? true : undefined));
    expect(takenOf(webhook).map(({ content }) => content.event.type)).toEqual(['admin.raised', 'admin.recovered']);
    const kinds = (await app.events(orgId)).map(([type]) => type).filter((type) => type.startsWith('admin_alert'));
    expect(kinds).toEqual(['admin_alert_raised', 'admin_alert_recovered']);
  });

  it('report silent metrics, except excluded ones', async () => {
    await aMetric('web-1.cpu', 0);
    await aMetric('web-2.cpu', 1000);
    await aMetric('nightly', 1000);
    const writer = await app.aToken(orgId, Permission.Write);
    await app.call('post', '/exclusion', { token: writer }, { chips: 'nightly', type_id: 3 });
    await setStates();
    await look();
    app.clock.seconds += 300;
    await sends('web-1.cpu');
    await look();
    expect(await state('stale_metrics')).toMatchObject({ state: 'raised', affected_metrics: ['web-2.cpu'] });
    expect(await sentTitles(1)).toEqual(['opened: Some metrics stop receiving data (Example Ltd)']);
    expect((await state('no_data')).state).toBe('ok');
  });

  it('report refused data and an exceeded quota', async () => {
    app.get(EventRecorderService).record({
      orgId,
      type: 'ingest_refused',
      level: 'warning',
      message: '',
      details: { reason: 'bad_name', points: 5, protocols: ['json'], metrics: ['a b'] },
    });
    app.get(EventRecorderService).record({
      orgId,
      type: 'ingest_refused',
      level: 'warning',
      message: '',
      details: { reason: 'over_quota', points: 7, protocols: ['json'], metrics: ['c'] },
    });
    app.get(EventRecorderService).record({ orgId, type: 'quota_exceeded', level: 'warning', message: '' });
    await look(10);
    await look(300);
    expect(await state('invalid_metrics')).toMatchObject({
      state: 'raised',
      message: 'Points were refused in the last quarter of an hour: 5 × bad_name.',
      affected_metrics: ['a b'],
    });
    expect(await state('metric_quota_exceeded')).toMatchObject({ state: 'raised' });
    expect((await sentTitles(2)).length).toBe(2);
    await look(15 * 60);
    expect((await state('invalid_metrics')).state).toBe('ok');
    expect((await state('metric_quota_exceeded')).state).toBe('raised');
  });

  it('are sent again within the expiration time when the earlier notice failed for all recipients', async () => {
    await aMetric('web-1.cpu', 1000);
    await look();
    await look(300);
    expect(await sentTitles(1)).toHaveLength(1);
    await until('both messages', () => Promise.resolve(takenOf(webhook).length === 1 ? true : undefined));
    await until('the failures', async () => {
      await app.database.dataSource.query(
        `UPDATE alert_delivery SET state = 'failed' WHERE org_id = $1 AND phase = 'opened' AND state = 'sent'`,
        [orgId],
      );
      // The two messages may be sent at different times.
      const failed: unknown[] = await app.database.dataSource.query(
        `SELECT 1 FROM alert_delivery WHERE org_id = $1 AND phase = 'opened' AND state = 'failed'`,
        [orgId],
      );
      return failed.length === 2;
    });
    await sends('web-1.cpu');
    await look(30);
    expect(await state('no_data')).toMatchObject({ state: 'ok' });
    await look(600);
    await look(300);
    // The alert about failed deliveries may be sent before or after it.
    const opened = 'opened: All metrics stop receiving data (Example Ltd)';
    await until('the second notice', async () =>
      (await sentTitles(2)).filter((message) => message === opened).length === 2 ? true : undefined,
    );
  });

  it('skip an unavailable channel for default recipients, but fail for named ones', async () => {
    mail.whatIsMissing = 'there is no mail server';
    webhook.whatIsMissing = 'not connected';
    const states = () => app.database.dataSource.query('SELECT state FROM alert_delivery WHERE org_id = $1', [orgId]);
    await call('post', '/org/adminalert/5', { state: 'raised', message: 'x' });
    expect(await states()).toEqual([]);
    expect((await app.events(orgId)).map(([type]) => type)).toContain('admin_alert_raised');
    await call('put', '/org/adminalerts', { type_1_email_users: [annId] });
    await call('post', '/org/adminalert/1', { state: 'raised', message: 'x' });
    await until('the failure', async () => {
      const [row] = await states();
      return (row as { state: string } | undefined)?.state === 'failed' ? true : undefined;
    });
    await until('the event of it', async () =>
      (await app.events(orgId)).some(([type]) => type === 'alert_failed') ? true : undefined,
    );
    await look(10);
    await look(300);
    expect(await state('delivery_failed')).toMatchObject({ state: 'raised' });
  });

  it('do not start the expiration time with a notice that has no recipient', async () => {
    webhook.whatIsMissing = 'not connected';
    await app.database.dataSource.transaction((tx) =>
      app.get(OrgService).setRecipients(orgId, { admin_email: [] }, tx),
    );
    await call('post', '/org/adminalert/5', { state: 'raised', message: 'x' });
    expect(await state('invalid_metrics')).toMatchObject({ state: 'raised', last_notified_timestamp: null });
    await call('post', '/org/adminalert/5', { state: 'recovered' });
    await call('put', '/org/adminalerts', { type_5_email_users: [annId] });
    await call('post', '/org/adminalert/5', { state: 'raised', message: 'y' });
    expect(await sentTitles(1)).toEqual(['opened: Sent data is refused (Example Ltd)']);
  });

  it('report a channel on which deliveries were given up', async () => {
    await call('post', '/org/adminalert/no_data', { state: 'raised', message: 'x' });
    await until('the webhook', async () => {
      const [, changed] = await app.database.dataSource.query<[unknown, number]>(
        `UPDATE alert_delivery SET state = 'failed', message = 'HTTP 500', settled_at = to_timestamp($2)
         WHERE org_id = $1 AND channel = 'webhook' AND state = 'sent'`,
        [orgId, app.clock.seconds],
      );
      return changed === 1 ? true : undefined;
    });
    await look(10);
    await look(300);
    expect(await state('delivery_failed')).toMatchObject({ state: 'raised', message: 'Given up: webhook: HTTP 500.' });
  });

  it('are raised and cleared immediately by an API call, regardless of what the service observes', async () => {
    const raised = await call('post', '/org/adminalert/5', {
      state: 'raised',
      message: 'The exporter of the plant reports faults',
      metrics: ['plant.heat'],
    });
    expect(raised.data).toMatchObject({
      alert: { state: 'raised', message: 'The exporter of the plant reports faults', affected_count: 1 },
      notified: true,
      message: 'OK',
    });
    await look(60);
    expect((await state('invalid_metrics')).state).toBe('raised');
    const again = await call('post', '/org/adminalert/invalid_metrics', { state: 'raised', message: 'still' });
    expect(again.data).toMatchObject({ alert: { message: 'still' }, notified: false });
    const cleared = await call('post', '/org/adminalert/5', { state: 'recovered' });
    expect(cleared.data).toMatchObject({ alert: { state: 'ok' }, notified: true });
    expect((await sentTitles(2))[0]).toMatch(/^opened: Sent data is refused/);
    expect((await call('post', '/org/adminalert/5', { state: 'recovered' })).data.notified).toBe(false);
    expect((await call('get', '/org/adminalert/6')).status).toBe(404);
  });

  it('are hidden from other organisations and changed only by administrators', async () => {
    const other = await app.anOrg();
    const theirs = await app.aToken(other.id, Permission.Read, Permission.Admin);
    await call('post', '/org/adminalert/1', { state: 'raised' });
    const seen = await app.call('get', '/org/adminalert/1', { token: theirs });
    expect(seen.data.alert).toMatchObject({ state: 'ok', alerts: [] });
    const foreign = await app.call('put', '/org/adminalerts', { token: theirs }, { type_1_email_users: [annId] });
    expect(foreign.data.error.details).toMatchObject([{ code: 'unknown_user' }]);
    const reader = await app.aToken(orgId, Permission.Read);
    expect((await app.call('put', '/org/adminalerts', { token: reader }, {})).status).toBe(403);
    expect((await app.call('post', '/org/adminalert/1', { token: reader }, { state: 'raised' })).status).toBe(403);
  });
});

describe('an organisation at its rate limit', () => {
  const refuse = async (): Promise<void> => {
    app.get(RefusalCounts).record(orgId, 'rate_limited');
    await app.get(RefusalCounts).flush();
  };
  const mails = async (): Promise<number> => {
    const [row] = await app.database.dataSource.query<{ count: number }[]>(
      `SELECT count(*)::integer AS count FROM mail_outbox WHERE org_id IS NULL`,
    );
    return row!.count;
  };
  const events = async () =>
    (await app.events(orgId)).filter(([type]) => type.startsWith('admin_alert')).map(([type]) => type);

  it('is reported to the operator once after five minutes, and again when it recovers', async () => {
    const before = await mails();
    await refuse();
    await look(60);
    expect(await mails()).toBe(before);
    for (let minute = 0; minute < 5; minute++) {
      await refuse();
      await look(60);
    }
    await refuse();
    await look(1);
    expect(await mails()).toBe(before + 1);
    await refuse();
    await look(60);
    expect(await events()).toEqual(['admin_alert_raised']);
    await look(15 * 60);
    expect(await mails()).toBe(before + 2);
    expect(await events()).toEqual(['admin_alert_raised', 'admin_alert_recovered']);
  });

  it('is not reported for single refusals', async () => {
    const before = await mails();
    for (let hour = 0; hour < 3; hour++) {
      await refuse();
      await look(3600);
    }
    expect(await mails()).toBe(before);
    expect(await events()).toEqual([]);
  });
});
