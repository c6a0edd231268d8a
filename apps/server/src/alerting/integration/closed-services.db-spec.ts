import { AlertReceiver } from '../../../../../test/support/alert-receiver.js';
import { START } from '../../../../../test/support/hand-clock.js';
import { aMessage, anItem, IntegrationApp } from '../../../../../test/support/integration-app.js';
import { Pagerduty } from '../../../../../test/support/pagerduty.js';
import { SmsProvider } from '../../../../../test/support/sms-provider.js';
import { type StandIn } from '../../../../../test/support/stand-in.js';
import { ChannelError } from '../channel/channel.errors.js';

const KEY = 'abcdefghijklmnopqrstuvwxyz012345';
const RATE_LIMITED = { status: 429, headers: { 'Retry-After': '7' } };

let app: IntegrationApp;
let orgId: number;
let service: StandIn | undefined;

beforeAll(async () => {
  app = await IntegrationApp.create();
});
afterAll(() => app.close());
beforeEach(async () => {
  app.clock.seconds = START;
  orgId = (await app.anOrg()).id;
});
afterEach(async () => {
  await service?.close();
  service = undefined;
});

const failure = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'taken',
    (error: unknown) => (error instanceof ChannelError ? [error.kind, error.message, error.retryAfterSeconds] : error),
  );

describe('the PagerDuty channel', () => {
  async function connected(): Promise<Pagerduty> {
    const pagerduty = await new Pagerduty(KEY).listen();
    service = pagerduty;
    await app.connect(orgId, 'pagerduty', { routing_key: KEY, api_base_url: `${pagerduty.url}/` });
    return pagerduty;
  }

  it('triggers, acknowledges and resolves an incident under one key', async () => {
    const { incidents } = await connected();
    const key = `plumbline-${String(orgId)}-incident-41`;
    const state = (): unknown => [...incidents].map(([name, { state, triggers }]) => [name, state, triggers]);
    expect(await app.send('pagerduty', aMessage(orgId))).toEqual({ thread: key });
    await app.send('pagerduty', aMessage(orgId));
    expect(state()).toEqual([[key, 'triggered', 2]]);
    await app.send('pagerduty', aMessage(orgId, { phase: 'acknowledged' }));
    expect(state()).toEqual([[key, 'acknowledged', 2]]);
    await app.send('pagerduty', aMessage(orgId, { phase: 'updated' }));
    expect(state()).toEqual([[key, 'acknowledged', 3]]);
    await app.send('pagerduty', aMessage(orgId, { phase: 'recovered' }));
    expect(state()).toEqual([[key, 'resolved', 3]]);
  });

  it.each([
    ['critical', 'critical'],
    ['major', 'error'],
    ['minor', 'warning'],
    ['info', 'info'],
  ] as const)('maps the severity label %s to %s', async (label, severity) => {
    const { incidents } = await connected();
    await app.send(
      'pagerduty',
      aMessage(orgId, { severityLabel: label, items: [anItem({ labels: { host: 'web-1' } })] }),
    );
    expect([...incidents.values()][0]!.payload).toMatchObject({ severity, source: 'web-1', class: 'spike' });
  });

  it('sends valid requests for the longest texts and for content without items', async () => {
    const { incidents } = await connected();
    const title = '🔥'.repeat(1200);
    await app.send('pagerduty', aMessage(orgId, { title }));
    const bare = { items: [], severityLabel: null, start: null, watcher: null, metricsCount: 0 };
    const links = { console: 'https://plumbline.example.org/', act: null, graph: null, image: null };
    await app.send('pagerduty', aMessage(orgId, { ...bare, links, subject: { type: 'admin', id: '4' } }));
    expect(incidents.size).toBe(2);
  });

  it('resolves the incident of a test immediately', async () => {
    const { incidents } = await connected();
    await app.send('pagerduty', aMessage(orgId, { isTest: true, kind: 'test', items: [] }));
    expect([...incidents.values()].map(({ state }) => state)).toEqual(['resolved']);
  });

  it('retries after rate limits and server errors, but not after status 400', async () => {
    const pagerduty = await connected();
    pagerduty.mood = RATE_LIMITED;
    expect(await failure(app.send('pagerduty', aMessage(orgId)))).toEqual(['later', 'HTTP status 429', 7]);
    pagerduty.mood = { status: 503 };
    expect(await failure(app.send('pagerduty', aMessage(orgId)))).toEqual(['later', 'HTTP status 503', null]);
    pagerduty.mood = 'well';
    await app.connect(orgId, 'pagerduty', { routing_key: KEY.toUpperCase(), api_base_url: pagerduty.url });
    expect(await failure(app.send('pagerduty', aMessage(orgId)))).toEqual(['never', 'HTTP status 400', null]);
  });
});

describe('the SMS channel', () => {
  const ACCOUNT = { sid: 'AC1', token: 'secret' };
  const to = { destination: { channel: 'sms', recipient: '+4799999999', userId: 1, mentions: [] } } as const;

  async function connected(): Promise<SmsProvider> {
    const provider = await new SmsProvider(ACCOUNT).listen();
    service = provider;
    const { sid, token } = ACCOUNT;
    const values = { api_base_url: provider.url, account_sid: sid, auth_token: token, from_number: '+15005550006' };
    await app.connect(orgId, 'sms', values);
    return provider;
  }

  it('sends one text of at most 300 characters with the link', async () => {
    const provider = await connected();
    await app.send('sms', aMessage(orgId, {}, to));
    await app.send('sms', aMessage(orgId, { phase: 'recovered' }, to));
    await app.send('sms', aMessage(orgId, { title: 'long '.repeat(200), isTest: true }, to));
    const [opened, recovered, long] = provider.sent.map(({ body }) => body);
    expect(provider.sent[0]).toMatchObject({ to: '+4799999999', from: '+15005550006' });
    // Title and summary already contain the prefixes for a test and a recovery.
    const logText =
      'http_requests_total is far above its range. It is twice as high as usual since 08:51. ' +
      'https://plumbline.example.org/incident/41';
    expect([opened, recovered]).toEqual([logText, logText]);
    expect(long!.length).toBe(300);
    expect(long).toMatch(/^long .*… https:\/\/plumbline\.example\.org\/incident\/41$/);
  });

  it('does not retry for an unsubscribed number, but after other errors', async () => {
    const provider = await connected();
    provider.unsubscribed.add('+4799999999');
    expect(await failure(app.send('sms', aMessage(orgId, {}, to)))).toEqual([
      'never',
      'the provider does not take the number',
      null,
    ]);
    provider.mood = RATE_LIMITED;
    expect(await failure(app.send('sms', aMessage(orgId, {}, to)))).toEqual(['later', 'HTTP status 429', 7]);
    provider.mood = { status: 400, body: 'no JSON' };
    expect(await failure(app.send('sms', aMessage(orgId, {}, to)))).toEqual(['later', 'HTTP status 400', null]);
  });

  it('retries when the token is wrong, since an administrator may correct it', async () => {
    const provider = await connected();
    await app.connect(orgId, 'sms', {
      api_base_url: provider.url,
      account_sid: 'AC1',
      auth_token: 'wrong',
      from_number: 'Plumbline',
    });
    expect(await failure(app.send('sms', aMessage(orgId, {}, to)))).toEqual(['later', 'HTTP status 401', null]);
  });
});

describe('the Alertmanager channel', () => {
  const connected = async (login: object, authorization: string): Promise<AlertReceiver> => {
    const receiver = await new AlertReceiver(authorization).listen();
    service = receiver;
    await app.connect(orgId, 'alertmanager', { url: `${receiver.url}/`, ...login });
    return receiver;
  };

  it('sends every metric with its labels, ending ten minutes ahead or at the true end', async () => {
    const receiver = await connected({ bearer_token: 't', extra_labels: { team: 'shop', metric: 'mine' } }, 'Bearer t');
    const items = [anItem(), anItem({ metric: 'errors', end: START - 30, severityLabel: 'minor' })];
    await app.send('alertmanager', aMessage(orgId, { items }));
    await app.send('alertmanager', aMessage(orgId, { items, phase: 'recovered', end: START }));
    const common = { alertname: 'PlumblineAnomaly', kind: 'spike', watcher: 'API errors', team: 'shop' };
    expect(receiver.alerts[0]).toMatchObject([
      {
        labels: { ...common, metric: anItem().metric, severity: 'critical', job: 'api', service_name: 'shop' },
        startsAt: '2025-10-09T08:51:20Z',
        endsAt: '2025-10-09T09:03:20Z',
      },
      { labels: { ...common, metric: 'errors', severity: 'minor' }, endsAt: '2025-10-09T08:52:50Z' },
    ]);
    expect(receiver.alerts[1]!.map(({ endsAt }) => endsAt)).toEqual(['2025-10-09T08:53:20Z', '2025-10-09T08:52:50Z']);
  });

  it('authenticates with user name and password', async () => {
    const receiver = await connected(
      { username: 'p', password: 'ä:b' },
      `Basic ${Buffer.from('p:ä:b').toString('base64')}`,
    );
    await app.send('alertmanager', aMessage(orgId, { kind: 'test', isTest: true, items: [] }));
    expect(receiver.alerts[0]).toMatchObject([{ labels: { alertname: 'PlumblineTest', test: 'true' } }]);
  });

  it('does not retry an alert that Alertmanager rejects with 400', async () => {
    const receiver = await connected({ bearer_token: 't' }, 'Bearer t');
    receiver.mood = { status: 400 };
    expect(await failure(app.send('alertmanager', aMessage(orgId)))).toEqual(['never', 'HTTP status 400', null]);
  });
});
