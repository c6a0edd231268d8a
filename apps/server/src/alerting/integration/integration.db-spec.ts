import { Permission } from '#libs/contracts';
import { IntegrationApp } from '../../../../../test/support/integration-app.js';
import { People, type Person } from '../../../../../test/support/people.js';
import { Slack } from '../../../../../test/support/slack.js';
import { SmsProvider } from '../../../../../test/support/sms-provider.js';
import { WebhookReceiver } from '../../../../../test/support/webhook-receiver.js';

let app: IntegrationApp;
let people: People;
let orgId: number;
let ann: Person;
let ben: Person;

beforeAll(async () => {
  app = await IntegrationApp.create({ env: { PLUMBLINE_GRAPHITE_ADDRESS: '2003' } });
  people = new People(app);
});
afterAll(() => app.close());
beforeEach(async () => {
  orgId = (await app.anOrg()).id;
  ann = await people.admin(orgId);
  ben = await people.member(orgId);
});

const get = (path: string, by = ann): ReturnType<People['call']> =>
  people.call('get', `/integration/${path}`, by.session);
const put = (path: string, body: object, by = ann): ReturnType<People['call']> =>
  people.call('put', `/integration/${path}`, by.session, body);
const test = (id: string, body: object = {}): ReturnType<People['call']> =>
  people.call('post', `/integration/${id}/test`, ann.session, body);

describe('GET /integration/list', () => {
  it('lists every service of the contract with its state', async () => {
    const { data } = await get('list', ben);
    expect(data.services.map(({ id, category }: Record<string, string>) => `${category} ${id}`)).toEqual([
      'alert email',
      'alert chat',
      'alert teams_chat',
      'alert sms',
      'alert pagerduty',
      'alert alertmanager',
      'alert webhook',
      'ingest http',
      'ingest csv',
      'ingest prometheus',
      'ingest opentelemetry',
      'ingest influx',
      'ingest graphite',
      'dashboard dashboard',
      'billing payment',
    ]);
    expect(data.services[3]).toEqual({
      id: 'sms',
      name: 'SMS',
      provider: 'Twilio-compatible',
      category: 'alert',
      connected: false,
      has_org_config: true,
      has_user_config: true,
      testable: true,
      description: 'Alerts as text messages to phones.',
      last_ok_timestamp: null,
      last_error: null,
    });
    expect((await get('list?category=dashboard')).data.services).toHaveLength(1);
    expect((await get('list?category=nothing')).code).toBe('validation_failed');
  });

  it('reports an ingest service as connected once it has sent data', async () => {
    await app.database.dataSource.query(
      `INSERT INTO metric (org_id, name, name_hash, display_name, labels, type, aggregation, source)
       VALUES ($1, 'cpu', sha256('cpu'), 'cpu', '{}', 'gauge', 'last', 'influx')`,
      [orgId],
    );
    const { data } = await get('list?category=ingest');
    const connected = data.services.filter(({ connected }: { connected: boolean }) => connected);
    expect(connected.map(({ id }: { id: string }) => id)).toEqual(['influx']);
  });
});

describe('settings of the organisation', () => {
  it.each(['orgconfig', 'orgproperties', 'userconfig', 'userproperties'])(
    'return 404 for %s of an unknown service',
    async (part) => {
      expect((await get(`nothing/${part}`)).status).toBe(404);
      expect((await get(`constructor/${part}`)).status).toBe(404);
    },
  );

  it('are fields with help, default, value and source', async () => {
    await put('chat/orgproperties', { chat_api_token: 'xoxb-secret-1234' });
    const { data } = await get('chat/orgconfig', ben);
    expect(data.service).toMatchObject({ id: 'chat', connected: true });
    expect(data.fields).toEqual([
      {
        key: 'chat_api_token',
        label: 'Bot token',
        type: 'secret',
        required: true,
        help: 'Token of the bot user of your app; it begins with xoxb-.',
        options: [],
        default: null,
        value: '************1234',
        source: 'org',
      },
      expect.objectContaining({ key: 'default_chat_channel', type: 'string', value: null, source: 'default' }),
      expect.objectContaining({ key: 'threads', type: 'bool', default: true, value: true, source: 'default' }),
    ]);
    expect(data.instructions).toContain('https://api.slack.com/apps');
  });

  it('include snippets with the addresses of this installation', async () => {
    const codes = async (id: string): Promise<string> =>
      (await get(`${id}/orgconfig`)).data.snippets.map(({ code }: { code: string }) => code).join('\n');
    expect(await codes('prometheus')).toContain('url: https://ingest.example.org/api/v1/write');
    expect(await codes('opentelemetry')).toContain('https://ingest.example.org/v1/metrics');
    expect(await codes('influx')).toContain('urls = ["https://ingest.example.org"]');
    expect(await codes('graphite')).toContain('nc -q 1 ingest.example.org 2003');
    expect(await codes('http')).toContain('https://ingest.example.org/ingest/metrics');
    expect(await codes('csv')).toContain('https://ingest.example.org/ingest/csv');
    expect(await codes('dashboard')).toContain('https://plumbline.example.org/api/dashboard/metric/');
    for (const id of ['prometheus', 'opentelemetry', 'influx', 'graphite', 'http', 'csv', 'dashboard']) {
      expect(await codes(id)).toContain('YOUR_TOKEN');
    }
  });

  it('share their values with PUT /org', async () => {
    await people.call('put', '/org', ann.session, { chat_api_token: 'xoxb-of-org', default_chat_channel: '#ops' });
    expect((await get('chat/orgproperties')).data.properties).toEqual({
      chat_api_token: '************-org',
      default_chat_channel: '#ops',
      threads: true,
    });
    await put('chat/orgproperties', { default_chat_channel: '#alerts', threads: false });
    const { data } = await people.call('get', '/org/info', ann.session);
    expect(data.properties).toEqual({ chat_api_token: 'xoxb-of-org', default_chat_channel: '#alerts' });
    expect((await get('chat/orgproperties')).data.properties.threads).toBe(false);
  });

  it('accept only an existing default channel, also with a token in the same request', async () => {
    const token = 'xoxb-1234567890-abcdefghij';
    const slack = await Slack.start({ token });
    slack.channels = [{ id: 'C1', name: 'ops', is_member: true }];
    const connected = await IntegrationApp.create({ env: slack.env });
    try {
      const theirs = new People(connected);
      const { session } = await theirs.admin((await connected.anOrg()).id);
      const set = (body: object): ReturnType<People['call']> =>
        theirs.call('put', '/integration/chat/orgproperties', session, body);
      const refused = await set({ chat_api_token: token, default_chat_channel: '#nowhere' });
      expect(refused.status).toBe(400);
      expect(refused.data.error.details).toEqual([
        {
          field: 'default_chat_channel',
          code: 'unknown_channel',
          message: 'default_chat_channel: the chat has no channel #nowhere; to use a private one, invite the bot first',
        },
      ]);
      expect((await set({ chat_api_token: token, default_chat_channel: '#ops' })).status).toBe(200);
      expect((await set({ default_chat_channel: '#nowhere' })).status).toBe(400);
      // While the provider is down, any channel is accepted.
      slack.answer = { status: 503, body: '' };
      connected.clock.seconds += 601;
      expect((await set({ default_chat_channel: '#nowhere' })).status).toBe(200);
    } finally {
      await connected.close();
      await slack.close();
    }
  });

  it('change only the given fields, clear empty ones, and keep a masked secret', async () => {
    const login = { url: 'https://alerts.example.org', username: 'p', password: 'secret' };
    expect((await put('alertmanager/orgproperties', { ...login, extra_labels: { team: 'shop' } })).data).toMatchObject({
      properties: { ...login, password: '************cret', bearer_token: null, extra_labels: { team: 'shop' } },
      service: { id: 'alertmanager', connected: true },
      message: 'OK',
    });
    const { data } = await put('alertmanager/orgproperties', {
      password: '************cret',
      username: '',
      extra_labels: null,
    });
    expect(data.properties).toMatchObject({ password: '************cret', username: null, extra_labels: {} });
    expect((await put('alertmanager/orgproperties', { url: null })).data.service.connected).toBe(false);
  });

  it('write an audit entry without secrets and an event, but none without a change', async () => {
    const key = 'abcdefghijklmnopqrstuvwxyz012345';
    await put('pagerduty/orgproperties', { routing_key: key });
    await put('pagerduty/orgproperties', { routing_key: key });
    await put('pagerduty/orgproperties', { routing_key: '' });
    expect(await people.audit(orgId)).toEqual([
      ['integration.update', 'Ann', 'PagerDuty', [{ field: 'routing_key', before: null, after: 'changed' }]],
      ['integration.update', 'Ann', 'PagerDuty', [{ field: 'routing_key', before: null, after: 'changed' }]],
    ]);
    expect(await people.events(orgId)).toEqual([
      ['integration_changed', 'PagerDuty was connected.'],
      ['integration_changed', 'PagerDuty was disconnected.'],
    ]);
  });

  it.each([
    ['webhook', { url: 'no address' }, [['url', 'bad_format']]],
    ['webhook', { url: 'ftp://example.org/' }, [['url', 'bad_format']]],
    ['webhook', { url: 'https://user:password@example.org/' }, [['url', 'bad_format']]],
    ['webhook', { url: 'http://169.254.169.254/' }, [['url', 'address_not_allowed']]],
    ['webhook', { url: 'http://[::ffff:169.254.169.254]/' }, [['url', 'address_not_allowed']]],
    ['webhook', { secret: 'short' }, [['secret', 'bad_format']]],
    ['webhook', { events: ['everything'] }, [['events', 'not_one_of']]],
    [
      'webhook',
      { smtp_host: 'a', nothing: 1 },
      [
        ['nothing', 'unknown_parameter'],
        ['smtp_host', 'unknown_parameter'],
      ],
    ],
    ['email', { smtp_host: 'mail.example.org' }, [['from_address', 'required']]],
    ['email', { smtp_host: '169.254.169.254', from_address: 'a@example.org' }, [['smtp_host', 'address_not_allowed']]],
    [
      'email',
      { smtp_port: 70_000, smtp_security: 'maybe' },
      [
        ['smtp_port', 'out_of_range'],
        ['smtp_security', 'not_one_of'],
      ],
    ],
    ['prometheus', { quantiles: [2] }, [['quantiles', 'out_of_range']]],
    ['prometheus', { histograms: 'all' }, [['histograms', 'not_one_of']]],
    ['alertmanager', { extra_labels: { '1': 'x' } }, [['extra_labels', 'bad_format']]],
    ['alertmanager', { extra_labels: 'team' }, [['extra_labels', 'not_object']]],
  ])('reject for %s the values %j', async (id, body, fields) => {
    const answer = await put(`${id}/orgproperties`, body);
    expect([answer.status, answer.fields]).toEqual([400, fields]);
  });

  it('are changed only by administrators', async () => {
    expect((await put('webhook/orgproperties', { enabled: false }, ben)).code).toBe('permission_denied');
    const token = await app.aToken(orgId, Permission.Admin);
    expect((await people.call('put', '/integration/webhook/orgproperties', token, { enabled: false })).status).toBe(
      200,
    );
  });
});

describe('settings of users', () => {
  it('share their values with PUT /user', async () => {
    expect((await put('sms/userproperties', { phone_number: '+4799999999' }, ben)).data).toMatchObject({
      properties: { phone_number: '+4799999999' },
      message: 'OK',
    });
    await put('email/userproperties', { email_alerts: true }, ben);
    await people.call('put', '/user', ben.session, { chat_member_id: 'U012AB3CD' });
    const { data } = await people.call('get', '/user/info', ben.session);
    expect(data.user).toMatchObject({ phone_number: '+4799999999', notifications: { email_alerts: true } });
    expect((await get('chat/userproperties', ben)).data.properties).toEqual({ chat_member_id: 'U012AB3CD' });
    expect((await get('sms/userconfig', ben)).data.fields).toMatchObject([{ key: 'phone_number', source: 'user' }]);
    expect((await put('sms/userproperties', { phone_number: '' }, ben)).data.properties).toEqual({
      phone_number: null,
    });
    expect((await put('webhook/userproperties', { phone_number: '+4799999999' }, ben)).fields).toEqual([
      ['phone_number', 'unknown_parameter'],
    ]);
    expect((await put('sms/userproperties', { phone_number: '123' }, ben)).fields).toEqual([
      ['phone_number', 'bad_format'],
    ]);
  });

  it('are readable by demo users and require a session', async () => {
    const visitor = await people.visitor(orgId);
    expect((await get('sms/userproperties', visitor)).status).toBe(200);
    expect((await put('sms/userproperties', { phone_number: '' }, visitor)).code).toBe('demo_account');
    const token = await app.aToken(orgId, Permission.Read);
    expect((await people.call('get', '/integration/sms/userproperties', token)).code).toBe('session_required');
  });
});

describe('POST /integration/{service_id}/test', () => {
  it('completes the step of the onboarding only if the message is accepted', async () => {
    const isDone = async (): Promise<boolean> => {
      const { data } = await people.call('get', '/progress?type=onboarding', ann.session);
      const [{ steps }] = data.progress as [{ steps: { key: string; done: boolean }[] }];
      return steps.find(({ key }) => key === 'send_test_alert')!.done;
    };
    const receiver = await new WebhookReceiver('', () => app.clock.now()).listen();
    try {
      receiver.secret = (await put('webhook/orgproperties', { url: receiver.url })).data.properties.secret as string;
      receiver.mood = { status: 500 };
      await test('webhook');
      expect(await isDone()).toBe(false);
      receiver.mood = 'well';
      const token = await app.aToken(orgId, Permission.Admin);
      expect((await people.call('post', '/integration/webhook/test', token, {})).data.ok).toBe(true);
      expect(await isDone()).toBe(true);
    } finally {
      await receiver.close();
    }
  });

  it('sends a test message and records its outcome', async () => {
    const receiver = await new WebhookReceiver('', () => app.clock.now()).listen();
    try {
      const { data } = await put('webhook/orgproperties', { url: receiver.url });
      receiver.secret = data.properties.secret as string;
      expect((await test('webhook')).data).toEqual({
        ok: true,
        message: 'The test message was accepted.',
        duration_seconds: expect.any(Number) as number,
      });
      expect(receiver.taken[0]!.body).toMatchObject({ type: 'test', data: { org: { id: orgId } } });
      expect((await get('webhook/orgproperties')).data.service).toMatchObject({
        last_ok_timestamp: app.clock.seconds,
        last_error: null,
      });
      receiver.mood = { status: 500 };
      expect((await test('webhook')).data).toMatchObject({
        ok: false,
        message: 'The test message was not accepted: HTTP status 500.',
      });
      expect((await get('webhook/orgproperties')).data.service.last_error).toBe('HTTP status 500');
    } finally {
      await receiver.close();
    }
  });

  it('sends only to users of the organisation', async () => {
    const provider = await new SmsProvider({ sid: 'AC1', token: 't' }).listen();
    try {
      const values = { account_sid: 'AC1', auth_token: 't', from_number: '+15005550006', api_base_url: provider.url };
      await put('sms/orgproperties', values);
      await put('sms/userproperties', { phone_number: '+4799999999' }, ben);
      const stranger = await people.member((await app.anOrg()).id);
      expect((await test('sms')).fields).toEqual([['recipient', 'user_lacks_phone']]);
      expect((await test('sms', { recipient: String(stranger.user.id) })).fields).toEqual([
        ['recipient', 'unknown_user'],
      ]);
      expect((await test('sms', { recipient: '+4711111111' })).fields).toEqual([['recipient', 'unknown_user']]);
      expect((await test('sms', { recipient: String(ben.user.id) })).data.ok).toBe(true);
      expect((await test('sms', { recipient: '+4799999999' })).data.ok).toBe(true);
      expect(provider.sent.map(({ to }) => to)).toEqual(['+4799999999', '+4799999999']);
    } finally {
      await provider.close();
    }
  });

  it('returns 503 for a service that is not connected or has no messages', async () => {
    expect((await test('webhook')).code).toBe('not_configured');
    expect((await test('prometheus')).code).toBe('not_configured');
    expect((await test('nothing')).status).toBe(404);
  });

  it('is limited to ten requests in ten minutes per organisation', async () => {
    await put('webhook/orgproperties', { url: 'http://127.0.0.1:1/' });
    const answers: number[] = [];
    for (let i = 0; i < 11; i++) answers.push((await test('webhook')).status);
    expect(answers).toEqual([...Array<number>(10).fill(200), 429]);
  });
});
