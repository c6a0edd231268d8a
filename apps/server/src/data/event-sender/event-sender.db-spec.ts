import { Script } from 'node:vm';
import { Permission } from '#libs/contracts';
import { START } from '../../../../../test/support/hand-clock.js';
import { MetricApp } from '../../../../../test/support/metric-app.js';
import { until } from '../../../../../test/support/product.js';
import { EventSenderModule } from './event-sender.module.js';

let app: MetricApp;
let orgId: number;
let token: string;

beforeAll(async () => {
  app = await MetricApp.create({ env: { PLUMBLINE_LIMIT_EVENT_SENDER: '100' } }, [EventSenderModule]);
});
afterAll(() => app.close());
beforeEach(async () => {
  app.clock.seconds = START - (START % 60) + 5;
  orgId = (await app.anOrg()).id;
  token = await app.aToken(orgId, Permission.Ingest, Permission.Read);
});

const send = (body: object) => app.call('post', '/js/eventsender', { token }, body);

/** Waits until a metric has `count` slots, and returns their values. */
async function stored(metric: string, count: number): Promise<unknown> {
  return until(`${String(count)} slots of ${metric}`, async () => {
    const { status, data } = await app.call(
      'get',
      `/metric/${encodeURIComponent(metric)}/timeseries?from=${String(START - 600)}&fill=none&derivative=false`,
      { token },
    );
    return status === 200 && data.points.length >= count
      ? (data.points as [number, number][]).map(([, v]) => v)
      : undefined;
  });
}

describe('events of web pages', () => {
  it('are summed to a rate per minute, and their values are averaged', async () => {
    const slot = app.clock.seconds - 5;
    expect((await send({ event: 'checkout', count: 3, value: 10 })).data).toEqual({ accepted: 3, message: 'OK' });
    // With the same timestamp.
    expect((await send({ event: 'checkout', value: 20 })).data.accepted).toBe(1);
    app.clock.seconds = slot + 65;
    expect((await send({ event: 'checkout', count: 5 })).data.accepted).toBe(5);
    expect(await stored('events.checkout', 2)).toEqual([4, 5]);
    expect(await stored('events.checkout.value', 1)).toEqual([15]);
    const { metric } = (await app.call('get', '/metric/events.checkout', { token })).data;
    expect(metric).toMatchObject({ type: 'rate', source: 'http' });
  });

  it('are accepted from any origin as text that contains the token', async () => {
    const text = JSON.stringify({
      data: { token, events: [{ event: 'a', properties: { page: 'cart' } }, { event: 'b' }] },
    });
    const answer = await app
      .http()
      .post('/api/js/eventsender')
      .set('Origin', 'https://shop.example.org')
      .set('Content-Type', 'text/plain;charset=UTF-8')
      .send(text);
    expect(answer.status).toBe(200);
    expect(answer.body.data).toEqual({ accepted: 2, message: 'OK' });
    expect(answer.get('Access-Control-Allow-Origin')).toBe('*');
    expect(answer.get('Access-Control-Allow-Credentials')).toBeUndefined();
    expect(await stored('events.a{page="cart"}', 1)).toEqual([1]);
  });

  it.each([
    [{}, ['event exactly_one']],
    [{ event: 'a', events: [{ event: 'b' }] }, ['event exactly_one']],
    [{ events: [] }, ['events too_few']],
    [{ events: [{ event: 'b' }], value: 1 }, ['value unknown_parameter']],
    [{ event: 'a b' }, ['event bad_format']],
    [{ event: 'a'.repeat(101) }, ['event bad_format']],
    [{ event: 'a', count: 1001 }, ['count out_of_range']],
    [{ event: 'a', count: 0 }, ['count out_of_range']],
    [{ event: 'a', value: 'x' }, ['value not_number']],
    [{ event: 'a', properties: { page: 5 } }, ['properties.page bad_format']],
    [{ event: 'a', properties: { 'a b': 'x' } }, ['properties bad_format']],
    [{ event: 'a', properties: { page: 'x'.repeat(101) } }, ['properties.page too_long']],
    [
      { event: 'a', properties: Object.fromEntries(Array.from({ length: 11 }, (_, n) => [`p${String(n)}`, 'x'])) },
      ['properties too_many'],
    ],
    [{ events: Array.from({ length: 101 }, () => ({ event: 'a' })) }, ['events too_many']],
  ])('are rejected if invalid: %j', async (body, wanted) => {
    const { status, data } = await send(body);
    expect(status).toBe(400);
    const details = data.error.details as { field: string; code: string }[];
    expect(details.map(({ field, code }) => `${field} ${code}`)).toEqual(wanted);
  });

  it('create at most 60 custom events per minute, but are all accepted', async () => {
    const events = Array.from({ length: 70 }, (_, n) => ({ event: `step-${String(n)}` }));
    expect((await send({ events })).data.accepted).toBe(70);
    const custom = (await app.events(orgId)).filter(([type]) => type === 'custom');
    expect(custom).toHaveLength(60);
    expect(custom[0]).toEqual(['custom', null, 'A page has reported step-0 once.']);
  });

  it('are not accepted for excluded metrics', async () => {
    const writer = await app.aToken(orgId, Permission.Write);
    await app.call('post', '/exclusion', { token: writer }, { chips: 'events.noise', type_id: 1 });
    expect((await send({ events: [{ event: 'noise', count: 7 }, { event: 'signal' }] })).data.accepted).toBe(1);
  });

  it('are rate-limited per token', async () => {
    const statuses = await Promise.all(
      Array.from({ length: 101 }, () => send({ event: 'a' }).then(({ status }) => status)),
    );
    expect(statuses.filter((status) => status === 429)).toHaveLength(1);
  });

  it('require the ingest permission', async () => {
    const reader = await app.aToken(orgId, Permission.Read);
    expect((await app.call('post', '/js/eventsender', { token: reader }, { event: 'a' })).status).toBe(403);
  });
});

it('GET /js/eventsender.js returns a small script for pages of any origin, cached for an hour', async () => {
  const answer = await app.http().get('/api/js/eventsender.js').set('Origin', 'https://shop.example.org');
  expect(answer.status).toBe(200);
  expect(answer.headers).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': 'public, max-age=3600',
    'cross-origin-resource-policy': 'cross-origin',
    'x-content-type-options': 'nosniff',
    etag: expect.any(String),
  });
  expect(answer.text.length).toBeLessThan(4000);
  expect(() => new Script(answer.text)).not.toThrow();
});
