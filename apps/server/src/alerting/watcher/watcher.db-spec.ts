import { Permission } from '#libs/contracts';
import { START } from '../../../../../test/support/hand-clock.js';
import { type Answer, MetricApp } from '../../../../../test/support/metric-app.js';
import { OrgService } from '../../people/org/org.service.js';
import { ProgressModule } from '../../people/progress/progress.module.js';
import { UserService } from '../../people/user/user.service.js';
import { type User } from '../../people/user/user.types.js';
import { AlertDeliveryModule } from '../alert/alert-delivery.module.js';
import { ChannelError } from '../channel/channel.errors.js';
import { ChannelRegistryService } from '../channel/channel-registry.service.js';
import { ServerAddressesService } from '../channel/server-addresses.service.js';
import { type Channel, type ChannelMessage } from '../channel/channel.types.js';
import { WatcherStartService } from './watcher-start.service.js';
import { WatcherModule } from './watcher.module.js';
import { WatcherRepository } from './watcher.repository.js';
import { WatcherDirectoryService } from './watcher-directory.service.js';

const DAY = 86_400;

let app: MetricApp;
let orgId: number;
let token: string;

beforeAll(async () => {
  app = await MetricApp.create({ env: { PLUMBLINE_OUTGOING: 'any' } }, [
    WatcherModule,
    ProgressModule,
    AlertDeliveryModule,
  ]);
});
afterAll(() => app.close());
beforeEach(async () => {
  app.clock.seconds = START;
  orgId = (await app.anOrg()).id;
  token = await app.aToken(orgId, Permission.Read, Permission.Write);
});

const get = (path: string, credential = { token }): Promise<Answer> => app.call('get', path, credential);
const post = (path: string, body: object = {}, credential: object = { token }): Promise<Answer> =>
  app.call('post', path, credential, body);
const remove = (path: string): Promise<Answer> => app.call('delete', path, { token });

async function put(path: string, body: object): Promise<Answer> {
  const answer = await app.http().put(`/api${path}`).set('X-Auth-Token', token).send(body);
  return { status: answer.status, headers: answer.headers, data: answer.body.data };
}

/** The code of the error, and field and code of each detail. */
function faults({ data }: Answer): [code: string, fields: [string, string][]] {
  const { code, details } = data.error as { code: string; details: { field: string; code: string }[] };
  return [code, details.map((detail): [string, string] => [detail.field, detail.code]).sort()];
}

async function anActiveUser(
  fields: { phoneNumber?: string; chatMemberId?: string; admin?: boolean } = {},
): Promise<User> {
  const user = await app.aUser(orgId, 'Ann');
  return app.get(UserService).update(orgId, user.id, fields);
}

/** Registers a connected channel. */
function connect(id: Channel['id'], send: Channel['send'] = () => Promise.resolve({ thread: null })): void {
  app.get(ChannelRegistryService).register({
    id,
    isIdempotent: true,
    canUpdate: false,
    repeatSeconds: null,
    missing: () => Promise.resolve(null),
    send,
  });
}

describe('anomaly watchers', () => {
  it('are created with defaults, updated, deleted and restored, with audit entries and events', async () => {
    await app.aMetric(orgId, 'web.cpu');
    await app.aMetric(orgId, 'db.cpu');
    const created = await post('/watcher', { chips: ['cpu', '-db'] });
    expect(created.status).toBe(200);
    expect(created.data).toMatchObject({ metrics: ['web.cpu'], metrics_count: 1, test_results: [], message: 'OK' });
    const { watcher } = created.data;
    expect(watcher).toEqual({
      id: expect.any(Number) as number,
      name: 'cpu, -db',
      type: 'anomaly',
      chips: ['cpu', '-db'],
      alert: false,
      metrics_count: 1,
      min_severity: 0,
      min_duration_seconds: 0,
      direction: 'both',
      kinds: [],
      alert_budget_per_week: null,
      budget: null,
      chat_channel: null,
      teams_chat_webhook: null,
      pagerduty: false,
      alertmanager: false,
      webhook: false,
      demo_mailbox: false,
      expiration_time: 3600,
      expiration_time_unit: 'second',
      expiration_seconds: 3600,
      alert_users: { email: [], sms: [], chat_mentions: [] },
      summary_report_frequency: null,
      summary_report_users: [],
      next_summary_timestamp: null,
      threshold: null,
      alerts_last_7_days: 0,
      last_alert_timestamp: null,
      last_alert_string: 'never',
      created_timestamp: START,
      created_by: null,
      updated_timestamp: START,
      deleted: false,
      deleted_timestamp: null,
    });
    const path = `/watcher/${String(watcher.id)}`;
    app.clock.seconds += 10;
    const changed = await put(path, {
      name: 'CPU',
      alert: true,
      kinds: ['spike'],
      expiration_time: 2,
      expiration_time_unit: 'hour',
      alert_budget_per_week: 3,
    });
    expect(changed.data.watcher).toMatchObject({
      name: 'CPU',
      alert: true,
      kinds: ['spike'],
      expiration_seconds: 7200,
      updated_timestamp: START + 10,
      budget: { wanted: 3, achieved_4_weeks: null, severity_in_effect: 0 },
    });
    // An update without a change keeps the time of the last update.
    app.clock.seconds += 10;
    expect((await put(path, { name: 'CPU' })).data.watcher.updated_timestamp).toBe(START + 10);
    expect((await get(path)).data).toMatchObject({ watcher: changed.data.watcher, metrics: ['web.cpu'], alerts: [] });

    const deleted = await remove(path);
    expect(deleted.data.watcher).toMatchObject({ deleted: true, deleted_timestamp: START + 20 });
    expect((await remove(path)).data.watcher).toEqual(deleted.data.watcher);
    expect((await get(path)).data.watcher.deleted).toBe(true);
    expect((await get('/watchers/list')).data.watchers).toEqual([]);
    expect((await get('/watchers/list?include_deleted=true')).data.total).toBe(1);
    expect(faults(await put(path, { name: 'x' }))[0]).toBe('state_conflict');
    const restored = await post(`${path}/undelete`);
    expect(restored.data.watcher).toMatchObject({ deleted: false, name: 'CPU' });
    expect((await get(`${path}/undelete`)).headers.deprecation).toBe('true');

    expect((await app.events(orgId)).map(([type]) => type)).toEqual([
      'watcher_created',
      'watcher_updated',
      'watcher_deleted',
      'watcher_restored',
    ]);
    const entries = await app.database.dataSource.query<{ action: string }[]>(
      `SELECT action FROM audit_entry WHERE org_id = $1 AND action LIKE 'watcher.%' ORDER BY id`,
      [orgId],
    );
    expect(entries.map(({ action }) => action)).toEqual([
      'watcher.create',
      'watcher.update',
      'watcher.delete',
      'watcher.restore',
    ]);
  });

  it('support the older forms of the calls', async () => {
    const created = await get('/watcher/create?chips=cpu,-db&alert=true');
    expect(created.headers.deprecation).toBe('true');
    const path = `/watcher/${String(created.data.watcher.id)}`;
    expect((await get(`${path}/update?name=Other`)).data.watcher.name).toBe('Other');
    expect((await get(`${path}/delete`)).data.watcher.deleted).toBe(true);
  });

  it('require a name that no other live watcher has, ignoring case', async () => {
    const first = await post('/watcher', { chips: 'cpu', name: 'Servers' });
    expect(faults(await post('/watcher', { chips: 'mem', name: 'SERVERS' }))[0]).toBe('already_exists');
    const path = `/watcher/${String(first.data.watcher.id)}`;
    await remove(path);
    const second = await post('/watcher', { chips: 'mem', name: 'servers' });
    expect(faults(await post(`${path}/undelete`))[0]).toBe('already_exists');
    expect((await put(`/watcher/${String(second.data.watcher.id)}`, { name: 'SERVERS' })).status).toBe(200);
  });

  it('report all invalid fields of a request together', async () => {
    const stranger = await app.aUser((await app.anOrg()).id, 'Bob');
    const ann = await anActiveUser();
    const answer = await post('/watcher', {
      chips: 'cpu',
      email_users: [ann.id, stranger.id],
      sms_users: [ann.id],
      chat_mention_users: [ann.id],
      alertmanager: true,
      expiration_time: 5,
      teams_chat_webhook: 'http://example.org/hook',
      summary_report_frequency: 'daily-10:00',
      min_severity: 101,
      odd: 1,
    });
    expect(faults(answer)).toEqual([
      'validation_failed',
      [
        ['alertmanager', 'not_connected'],
        ['chat_mention_users', 'user_lacks_chat_member'],
        ['email_users', 'unknown_user'],
        ['expiration_time', 'out_of_range'],
        ['min_severity', 'out_of_range'],
        ['odd', 'unknown_parameter'],
        ['sms_users', 'user_lacks_phone'],
        ['summary_report_users', 'too_few'],
        ['teams_chat_webhook', 'bad_format'],
      ],
    ]);
    expect((await get('/watchers/list')).data.total).toBe(0);
  });

  it('are limited to 500 per organisation', async () => {
    await app.database.dataSource.query(
      `INSERT INTO watcher (org_id, type, name, chips, alert, min_severity, min_duration_seconds, direction, kinds, pagerduty,
         alertmanager, webhook, expiration_time, expiration_time_unit, expiration_seconds)
       SELECT $1, 'anomaly', 'w' || n, '{cpu}', false, 0, 0, 'both', '{}', false, false, false, 3600, 'second', 3600
       FROM generate_series(1, 500) AS n`,
      [orgId],
    );
    expect(faults(await post('/watcher', { chips: 'cpu' }))[0]).toBe('limit_reached');
    const page = await get('/watchers/list?limit=3&order=newest');
    expect(page.data.watchers.map(({ name }: { name: string }) => name)).toEqual(['w500', 'w499', 'w498']);
    expect(page.data.total).toBe(500);
  });

  it('can be restored for 30 days', async () => {
    const { id } = (await post('/watcher', { chips: 'cpu' })).data.watcher;
    await remove(`/watcher/${String(id)}`);
    app.clock.seconds += 31 * DAY;
    expect((await get(`/watcher/${String(id)}`)).status).toBe(404);
    expect(faults(await post(`/watcher/${String(id)}/undelete`))[0]).toBe('expired');
    app.clock.seconds += 7 * DAY;
    await app.get(WatcherRepository).forgetDeleted(app.clock.now(), 1000);
    expect((await post(`/watcher/${String(id)}/undelete`)).status).toBe(404);
  });

  it('store the address of a Teams channel sealed, and mask it for readers', async () => {
    const address = 'https://example.org/hook/secret-1234';
    const { watcher } = (await post('/watcher', { chips: 'cpu', teams_chat_webhook: address })).data;
    expect(watcher.teams_chat_webhook).toBe(address);
    const reader = { token: await app.aToken(orgId, Permission.Read) };
    const path = `/watcher/${String(watcher.id)}`;
    const masked = (await get(path, reader)).data.watcher.teams_chat_webhook as string;
    expect(masked).toBe('************1234');
    expect((await put(path, { teams_chat_webhook: masked, alert: true })).data.watcher.teams_chat_webhook).toBe(
      address,
    );
    const [row] = await app.database.dataSource.query<{ sealed: string }[]>(
      'SELECT teams_chat_webhook_sealed AS sealed FROM watcher WHERE id = $1',
      [watcher.id],
    );
    expect(row!.sealed).not.toContain('secret');
    const { destinations } = (
      await app.get(WatcherDirectoryService).rulesOf(orgId, await app.get(WatcherDirectoryService).listLive(orgId))
    )[0]!;
    const { recipient } = destinations[0]!;
    expect(recipient).toMatch(/^example\.org#[0-9a-f]{16}$/);
    expect(await app.get(ServerAddressesService).find(orgId, recipient)).toBe(address);
    expect(await app.get(ServerAddressesService).find((await app.anOrg()).id, recipient)).toBeNull();
    expect((await put(path, { teams_chat_webhook: '' })).data.watcher.teams_chat_webhook).toBeNull();
  });

  it('schedule a report once at its local time, also after the time zone changes', async () => {
    const ann = await anActiveUser();
    const { watcher } = (
      await post('/watcher', { chips: 'cpu', summary_report_frequency: 'daily-10:00', summary_report_users: [ann.id] })
    ).data;
    const next = watcher.next_summary_timestamp as number;
    expect(next).toBeGreaterThan(START);
    expect(new Date(next * 1000).toISOString()).toContain('T10:00:00');
    const watchers = app.get(WatcherDirectoryService);
    const take = (now: number) => app.database.dataSource.transaction((tx) => watchers.takeNextSummary(now, [], tx));
    expect(await take(next - 1)).toBeNull();
    const taken = await take(next + 5);
    expect(taken).toMatchObject({
      orgId,
      scheduledAt: next,
      watcher: { id: watcher.id, recipients: { summary: [ann.id] } },
    });
    expect(await take(next + 5)).toBeNull();
    await app.get(OrgService).update(orgId, { timezone: 'Asia/Tokyo' });
    await watchers.moveSummaries(app.clock.now());
    const moved = (await get(`/watcher/${String(watcher.id)}`)).data.watcher.next_summary_timestamp as number;
    expect(new Date(moved * 1000).toISOString()).toContain('T01:00:00');
  });

  it('drop a recipient who is removed', async () => {
    const ann = await anActiveUser();
    const { id } = (await post('/watcher', { chips: 'cpu', email_users: [ann.id] })).data.watcher;
    await app.get(UserService).remove(orgId, ann.id);
    expect((await get(`/watcher/${String(id)}`)).data.watcher.alert_users.email).toEqual([]);
  });

  it('complete steps of the guided start', async () => {
    const ann = await anActiveUser();
    const session = await app.aSession(ann.id);
    await post('/watcher', { chips: 'cpu' }, { session });
    expect((await app.get(UserService).getById(orgId, ann.id)).onboardingFlags.alert_created).toBe(true);
    const { steps } = (await get('/progress?type=onboarding')).data.progress[0] as {
      steps: { key: string; done: boolean }[];
    };
    expect(steps.find(({ key }) => key === 'create_watcher')!.done).toBe(true);
  });

  it('complete the same step when a token creates them', async () => {
    await post('/watcher', { chips: 'cpu' });
    const { steps } = (await get('/progress?type=onboarding')).data.progress[0] as {
      steps: { key: string; done: boolean }[];
    };
    expect(steps.filter(({ done }) => done).map(({ key }) => key)).toContain('create_watcher');
  });
});

describe('destinations of a watcher', () => {
  it('are those of the watcher, or else the defaults of the organisation', async () => {
    connect('webhook');
    const ann = await anActiveUser({ phoneNumber: '+4799999999' });
    const bob = await anActiveUser();
    const { id } = (
      await post('/watcher', { chips: 'cpu', alert: true, email_users: [ann.id], sms_users: [ann.id], webhook: true })
    ).data.watcher;
    await app.get(OrgService).addRecipient(orgId, bob.id, ['email']);
    await post('/watcher', { chips: 'mem', alert: true });
    await post('/watcher', { chips: 'view' });
    const rules = await app.get(WatcherDirectoryService).alertingOf(orgId);
    expect(rules.map(({ chips }) => chips)).toEqual([['cpu'], ['mem']]);
    expect(rules[0]!.destinations.map(({ channel, recipient, userId }) => [channel, recipient, userId])).toEqual([
      ['email', ann.email, ann.id],
      ['sms', '+4799999999', ann.id],
      ['webhook', '', null],
    ]);
    expect(rules[1]!.destinations).toEqual([{ channel: 'email', recipient: bob.email, userId: bob.id, mentions: [] }]);
    await app.get(UserService).update(orgId, ann.id, { state: 'disabled' });
    await put(`/watcher/${String(id)}`, { webhook: true });
    app.get(WatcherDirectoryService).forget(orgId);
    const [first] = await app.get(WatcherDirectoryService).alertingOf(orgId);
    expect(first!.destinations.map(({ channel }) => channel)).toEqual(['webhook']);
  });

  it('are the demo mailbox for a demo watcher without destinations, despite the defaults', async () => {
    orgId = (await app.anOrg({ isDemo: true })).id;
    token = await app.aToken(orgId, Permission.Read, Permission.Write);
    const ann = await anActiveUser();
    await app.get(OrgService).addRecipient(orgId, ann.id, ['email']);
    const created = [
      (await post('/watcher', { chips: 'cpu', alert: true })).data.watcher,
      (await post('/watcher', { chips: 'mem', alert: true, email_users: [ann.id] })).data.watcher,
    ];
    expect(created.map(({ demo_mailbox: isRecorded }) => isRecorded)).toEqual([true, false]);
    const rules = await app.get(WatcherDirectoryService).alertingOf(orgId);
    const own = rules.filter(({ id }) => created.some((watcher) => watcher.id === id));
    expect(own.map(({ destinations }) => destinations.map(({ channel, recipient }) => [channel, recipient]))).toEqual([
      [['demo', `watcher-${String(created[0].id)}`]],
      [['email', ann.email]],
    ]);
  });
});

describe('channels and addresses of a watcher', () => {
  /** Registers a chat with one channel. */
  function connectChat(id: number): { asked: string[][] } {
    const asked: string[][] = [];
    app.get(ChannelRegistryService).register({
      id: 'chat',
      isIdempotent: false,
      canUpdate: true,
      repeatSeconds: null,
      missing: (of) => Promise.resolve(of === id ? null : 'its bot token is missing'),
      unknownPlaces(of, places) {
        asked.push([...places]);
        return Promise.resolve(of === id ? places.filter((place) => place !== '#ops') : []);
      },
      send: () => Promise.resolve({ thread: null }),
    });
    return { asked };
  }

  it('are rejected if the chat has no such channel', async () => {
    const { asked } = connectChat(orgId);
    const refused = await post('/watcher', { chips: 'cpu', chat_channel: '#nowhere', pagerduty: true });
    expect(faults(refused)).toEqual([
      'validation_failed',
      [
        ['chat_channel', 'unknown_channel'],
        ['pagerduty', 'not_connected'],
      ],
    ]);
    const threshold = { chips: 'cpu', algorithm: 'above', value: 1 };
    expect(faults(await post('/watcher/threshold', { ...threshold, chat_channel: '#nowhere' }))[1]).toEqual([
      ['chat_channel', 'unknown_channel'],
    ]);
    const { watcher } = (await post('/watcher', { chips: 'cpu', chat_channel: '#ops' })).data;
    expect(watcher.chat_channel).toBe('#ops');
    const path = `/watcher/${String(watcher.id)}`;
    expect(faults(await put(path, { chat_channel: '#nowhere' }))[1]).toEqual([['chat_channel', 'unknown_channel']]);
    // An unchanged or cleared channel is not looked up.
    asked.length = 0;
    expect((await put(path, { chat_channel: '#ops', name: 'CPU' })).status).toBe(200);
    expect((await put(path, { chat_channel: '' })).data.watcher.chat_channel).toBeNull();
    expect(asked).toEqual([]);
  });

  it('are not looked up while the chat is not connected', async () => {
    connectChat(0);
    expect((await post('/watcher', { chips: 'cpu', chat_channel: '#nowhere' })).status).toBe(200);
  });

  it('are rejected if the operator does not allow the address', async () => {
    const webhook = 'https://169.254.169.254/workflow';
    expect(faults(await post('/watcher', { chips: 'cpu', teams_chat_webhook: webhook }))[1]).toEqual([
      ['teams_chat_webhook', 'address_not_allowed'],
    ]);
    expect(faults(await post('/watcher', { chips: 'cpu', teams_chat_webhook: 'http://169.254.169.254/' }))[1]).toEqual([
      ['teams_chat_webhook', 'bad_format'],
    ]);
  });
});

describe('test alerts', () => {
  it('are sent through the real channels and return the outcome of each message', async () => {
    const messages: ChannelMessage[] = [];
    connect('email', (message) => {
      messages.push(message);
      return Promise.resolve({ thread: null });
    });
    connect('webhook', () => Promise.reject(new ChannelError('never', 'The receiver answered 400.')));
    const ann = await anActiveUser();
    const session = await app.aSession(ann.id);
    const answer = await post(
      '/watcher',
      { chips: 'cpu', name: 'CPU', email_users: [ann.id], webhook: true, test_alert: true },
      { session },
    );
    expect(answer.data.test_results).toEqual([
      { channel: 'email', recipient: ann.email, ok: true, message: 'OK' },
      { channel: 'webhook', recipient: '', ok: false, message: 'The receiver answered 400.' },
    ]);
    expect(messages[0]).toMatchObject({
      orgId,
      content: {
        isTest: true,
        kind: 'test',
        title: expect.stringMatching(/^Test: alerts of .* arrive here$/),
        watcher: { name: 'CPU' },
      },
      destination: { channel: 'email', recipient: ann.email },
    });
    expect((await app.get(UserService).getById(orgId, ann.id)).onboardingFlags.test_alert_sent).toBe(true);
    const { id } = answer.data.watcher;
    const { alerts, watcher } = (await get(`/watcher/${String(id)}`)).data;
    expect(alerts.map(({ kind, state }: { kind: string; state: string }) => [kind, state])).toEqual([
      ['test', 'failed'],
      ['test', 'sent'],
    ]);
    // A test does not count as an alert.
    expect(watcher).toMatchObject({ alerts_last_7_days: 0, last_alert_timestamp: null });
  });

  it('are limited to ten', async () => {
    connect('webhook');
    const { id } = (await post('/watcher', { chips: 'cpu', webhook: true })).data.watcher;
    const test = () => put(`/watcher/${String(id)}`, { test_alert: true });
    for (let count = 0; count < 10; count++) expect((await test()).status).toBe(200);
    expect((await test()).status).toBe(429);
  });
});

describe('threshold watchers', () => {
  it('are created and updated with their own calls', async () => {
    const created = await post('/watcher/threshold', {
      chips: 'cpu',
      algorithm: 'above',
      value: 500,
      times_in_a_row: 3,
      function: 'mean',
      function_seconds: 300,
    });
    expect(created.data.watcher).toMatchObject({
      type: 'threshold',
      threshold: {
        algorithm: 'above',
        value: 500,
        value_upper: null,
        times_in_a_row: 3,
        function: 'mean',
        function_seconds: 300,
        minimum_avg: null,
        minimum_avg_seconds: null,
        drop_percent: null,
      },
    });
    const { id } = created.data.watcher;
    const changed = await put(`/watcher/threshold/${String(id)}`, { algorithm: 'drop_off', minimum_avg: 10 });
    expect(changed.data.watcher.threshold).toEqual({
      algorithm: 'drop_off',
      value: null,
      value_upper: null,
      times_in_a_row: 3,
      function: 'none',
      function_seconds: null,
      minimum_avg: 10,
      minimum_avg_seconds: 3600,
      drop_percent: 90,
    });
    expect((await put(`/watcher/${String(id)}`, { name: 'Drops' })).data.watcher.name).toBe('Drops');
    expect(faults(await put(`/watcher/${String(id)}`, { value: 5 }))[1]).toEqual([['value', 'unknown_parameter']]);
    expect(faults(await put(`/watcher/${String(id)}`, { min_severity: 5 }))[1]).toEqual([
      ['min_severity', 'unknown_parameter'],
    ]);
    const other = (await post('/watcher', { chips: 'cpu' })).data.watcher;
    expect(faults(await put(`/watcher/threshold/${String(other.id)}`, { value: 5 }))[0]).toBe('wrong_type');
    const list = await get('/watchers/list?type=threshold');
    expect(list.data.watchers.map((found: { id: number }) => found.id)).toEqual([id]);
  });

  it.each([
    [{}, [['algorithm', 'required']]],
    [{ algorithm: 'above' }, [['value', 'required']]],
    [{ algorithm: 'outside', value: 5, value_upper: 5 }, [['value_upper', 'out_of_range']]],
    [{ algorithm: 'outside', value: 5 }, [['value_upper', 'required']]],
    [{ algorithm: 'below', value: 5, function: 'mean' }, [['function_seconds', 'required']]],
    [{ algorithm: 'drop_off' }, [['minimum_avg', 'required']]],
    [{ algorithm: 'no_data', value: 5 }, [['value', 'out_of_range']]],
    [{ algorithm: 'above', value: 5, drop_percent: 90 }, [['drop_percent', 'unknown_parameter']]],
    [{ algorithm: 'above', value: 5, direction: 'up' }, [['direction', 'unknown_parameter']]],
  ])('reject %j', async (fields, expected) => {
    const answer = await post('/watcher/threshold', { chips: 'cpu', ...fields });
    expect(faults(answer)).toEqual(['validation_failed', expected]);
  });
});

describe('lists with watchers', () => {
  it('filter watchers by metrics and sort them in the requested order', async () => {
    await app.aMetric(orgId, 'web.cpu', { labels: { job: 'api' } });
    await post('/watcher', { chips: 'job:api', name: 'b' });
    await post('/watcher', { chips: 'db', name: 'a' });
    await post('/watcher', { chips: '*', name: 'C' });
    const names = async (query: string): Promise<string[]> =>
      (await get(`/watchers/list?${query}`)).data.watchers.map(({ name }: { name: string }) => name);
    expect(await names('')).toEqual(['a', 'b', 'C']);
    expect(await names('chips=cpu')).toEqual(['b', 'C']);
    expect(await names('order=newest&limit=1')).toEqual(['C']);
    expect(await names('order=last_alert&offset=1')).toEqual(['a', 'b']);
  });

  it('complete chips from the typed text', async () => {
    for (const host of ['1', '2']) await app.aMetric(orgId, `web-${host}.cpu{job="api"}`, { labels: { job: 'api' } });
    await app.aMetric(orgId, 'db.mem');
    const complete = async (query: string): Promise<[string, number][]> =>
      (await get(`/watchers/chips?${query}`)).data.chips.map((found: { chip: string; metrics_count: number }) => [
        found.chip,
        found.metrics_count,
      ]);
    expect(await complete('q=ap')).toEqual([
      ['ap', 2],
      ['job:api', 2],
    ]);
    expect((await complete('chips=cpu')).every(([, count]) => count <= 2)).toBe(true);
    expect(await complete('q=nothing')).toEqual([]);
    expect(await complete('q=web&limit=1')).toHaveLength(1);
  });

  it('include the watchers of metrics, and filter anomalies by watcher', async () => {
    const metric = await app.aMetric(orgId, 'web.cpu');
    const other = await app.aMetric(orgId, 'db.cpu');
    const { id } = (await post('/watcher', { chips: 'web', min_severity: 30, name: 'Web' })).data.watcher;
    const strict = (await post('/watcher', { chips: 'web', min_severity: 60, name: 'Strict' })).data.watcher
      .id as number;
    const first = await app.anAnomaly(orgId, metric, START - 600);
    await app.anAnomaly(orgId, other, START - 600);
    const { data } = await get('/metric/web.cpu');
    expect(data.metric.watcher_ids).toEqual([id, strict]);
    expect(data.watchers[0]).toEqual({ id, name: 'Web' });
    expect((await get('/metrics')).data.metrics.map((found: { watcher_ids: number[] }) => found.watcher_ids)).toEqual([
      [],
      [id, strict],
    ]);
    const anomalies = async (watcherId: number): Promise<number[]> =>
      (await get(`/anomalies?watcher_id=${String(watcherId)}`)).data.anomalies.map((found: { id: number }) => found.id);
    expect(await anomalies(id)).toEqual([first]);
    expect(await anomalies(strict)).toEqual([]);
    expect((await get('/anomalies?watcher_id=999999')).status).toBe(404);
  });
});

describe('a new organisation', () => {
  it('starts with one watcher that alerts administrators about severe anomalies', async () => {
    const starts = await app.byHand(WatcherStartService);
    const ann = await anActiveUser({ admin: true });
    await starts.run();
    await starts.run();
    const { watchers, total } = (await get('/watchers/list')).data;
    expect(total).toBe(1);
    expect(watchers[0]).toMatchObject({
      chips: ['*'],
      alert: true,
      min_severity: 50,
      alert_budget_per_week: 5,
      alert_users: { email: [{ id: ann.id }] },
    });
    await remove(`/watcher/${String(watchers[0].id)}`);
    await starts.run();
    expect((await get('/watchers/list')).data.total).toBe(0);
  });
});
