import { aMessage, anItem, IntegrationApp } from '../../../../../../test/support/integration-app.js';
import { START } from '../../../../../../test/support/hand-clock.js';
import { People, type Person } from '../../../../../../test/support/people.js';
import { until } from '../../../../../../test/support/product.js';
import { WebhookReceiver } from '../../../../../../test/support/webhook-receiver.js';
import { ChannelError } from '../../channel/channel.errors.js';

let app: IntegrationApp;
let people: People;
let receiver: WebhookReceiver;
let orgId: number;
let ann: Person;

beforeAll(async () => {
  app = await IntegrationApp.create();
  people = new People(app);
});
afterAll(() => app.close());
beforeEach(async () => {
  app.clock.seconds = START;
  orgId = (await app.anOrg()).id;
  ann = await people.admin(orgId);
  receiver = await new WebhookReceiver('', () => app.clock.seconds).listen();
});
afterEach(() => receiver.close());

const put = (body: object): ReturnType<People['call']> =>
  people.call('put', '/integration/webhook/orgproperties', ann.session, body);

/** Connects the receiver and returns its secret. */
async function connect(body: object = {}): Promise<string> {
  const { data } = await put({ url: `${receiver.url}/hook`, ...body });
  receiver.secret = data.properties.secret as string;
  return receiver.secret;
}

const failure = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'taken',
    (error: unknown) => (error instanceof ChannelError ? [error.kind, error.message, error.retryAfterSeconds] : error),
  );

describe('the webhook channel', () => {
  it('sends signed JSON, with the same id when the message is sent again', async () => {
    expect(await connect()).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const message = aMessage(orgId);
    await app.send('webhook', message);
    app.clock.seconds += 60;
    await app.send('webhook', message);
    expect(receiver.received).toHaveLength(2);
    expect(receiver.taken).toEqual([
      {
        id: message.id,
        body: {
          type: 'incident.opened',
          timestamp: '2025-10-09T08:53:20Z',
          data: {
            incident: { id: 41 },
            org: { id: orgId, name: 'Example Ltd' },
            watcher: { id: 5, name: 'API errors' },
            links: {
              console: 'https://plumbline.example.org/incident/41',
              graph: 'https://plumbline.example.org/api/graph',
              image: 'https://plumbline.example.org/api/image.png',
            },
          },
        },
      },
    ]);
  });

  it('signs with the previous secret as well for 24 hours after a change', async () => {
    const old = await connect();
    const { data } = await put({ secret: '' });
    const fresh = data.properties.secret as string;
    expect(fresh).not.toBe(old);
    const shown = await people.call('get', '/integration/webhook/orgproperties', ann.session);
    expect(shown.data.properties.secret).toBe(`************${fresh.slice(-4)}`);
    for (const secret of [old, fresh]) {
      receiver.secret = secret;
      expect(await failure(app.send('webhook', aMessage(orgId)))).toBe('taken');
    }
    app.clock.seconds += 86_401;
    receiver.secret = old;
    expect(await failure(app.send('webhook', aMessage(orgId)))).toEqual(['later', 'HTTP status 401', null]);
    receiver.secret = fresh;
    expect(await failure(app.send('webhook', aMessage(orgId)))).toBe('taken');
  });

  it('sends only subscribed events, and tests always', async () => {
    await connect({ events: ['incident.closed'] });
    await app.send('webhook', aMessage(orgId));
    expect(receiver.received).toEqual([]);
    await app.send('webhook', aMessage(orgId, { event: { type: 'incident.closed', data: {} } }));
    await app.send('webhook', aMessage(orgId, { event: { type: 'test', data: {} } }, { id: 'another' }));
    expect(receiver.taken.map(({ body }) => body.type)).toEqual(['incident.closed', 'test']);
  });

  it('can send the body of Alertmanager', async () => {
    await connect({ payload: 'alertmanager' });
    const items = [anItem(), anItem({ metric: 'errors', labels: {}, end: START - 60 })];
    await app.send('webhook', aMessage(orgId, { items, metricsCount: 30 }));
    expect(receiver.taken[0]!.body).toMatchObject({
      version: '4',
      groupKey: `plumbline-${String(orgId)}-incident-41`,
      truncatedAlerts: 28,
      status: 'firing',
      receiver: 'plumbline',
      groupLabels: { alertname: 'PlumblineAnomaly' },
      commonLabels: { alertname: 'PlumblineAnomaly', severity: 'critical', watcher: 'API errors' },
      externalURL: 'https://plumbline.example.org',
      alerts: [
        { status: 'firing', startsAt: '2025-10-09T08:51:20Z', endsAt: '0001-01-01T00:00:00Z' },
        { status: 'resolved', endsAt: '2025-10-09T08:52:20Z' },
      ],
    });
  });

  it('is disabled by status 410, with an event and an audit entry', async () => {
    await connect();
    receiver.mood = { status: 410 };
    expect(await failure(app.send('webhook', aMessage(orgId)))).toEqual(['gone', 'HTTP status 410', null]);
    expect(await app.channel('webhook').missing(orgId)).toBe('its address is missing, or it is switched off');
    const { data } = await people.call('get', '/integration/webhook/orgproperties', ann.session);
    expect(data.properties.enabled).toBe(false);
    expect((await people.events(orgId)).at(-1)).toEqual([
      'integration_changed',
      'Webhook was switched off. Its receiver answered 410: it accepts no more messages.',
    ]);
    expect((await people.audit(orgId)).at(-1)?.[3]).toEqual([{ field: 'enabled', before: null, after: false }]);
  });

  it.each([
    [{ status: 500 }, ['later', 'HTTP status 500', null]],
    [{ status: 429, headers: { 'Retry-After': '120' } }, ['later', 'HTTP status 429', 120]],
    [{ status: 404 }, ['later', 'HTTP status 404', null]],
    [
      { status: 302, headers: { Location: 'http://127.0.0.1:1/' } },
      ['later', 'it redirects (HTTP status 302), which is not followed', null],
    ],
    ['breaks off', ['later', 'the connection failed (ECONNRESET)', null]],
  ] as const)('reports a failure that can be retried after %j', async (mood, expected) => {
    await connect();
    receiver.mood = mood;
    expect(await failure(app.send('webhook', aMessage(orgId)))).toEqual(expected);
    expect(receiver.received).toHaveLength(1);
  });

  it('stops when its caller aborts', async () => {
    await connect();
    receiver.mood = 'stalls';
    const ending = new AbortController();
    const sent = failure(app.channel('webhook').send(aMessage(orgId), ending.signal));
    await until('the request to arrive', async () => receiver.received.length > 0 || undefined);
    ending.abort();
    expect(await sent).toEqual(['later', 'the request was aborted', null]);
  });
});
