import { type INestApplication, Module } from '@nestjs/common';
import request from 'supertest';
import { createEdgeApp, FIXED_NOW, SESSIONS, TOKENS } from '../../../../../test/support/edge-app.js';
import { MetricController } from './metric.controller.js';
import { MetricNotFoundError } from './metric.errors.js';
import { MetricRemovalService } from '../../analysis/metric-removal/metric-removal.service.js';
import { MetricService } from './metric.service.js';
import { TimeseriesService } from './timeseries.service.js';

/** Records the calls, and returns the name of the called method. */
const calls: unknown[][] = [];
const echo =
  (name: string) =>
  (...parameters: unknown[]): Promise<object> => {
    calls.push([name, ...parameters]);
    return Promise.resolve({ called: name });
  };

const METRICS = {
  list: echo('list'),
  search: echo('search'),
  find: (org: unknown, ref: { name?: string }) =>
    ref.name === 'nobody' ? Promise.reject(new MetricNotFoundError({ name: 'nobody' })) : echo('find')(org, ref),
};

@Module({
  providers: [
    { provide: MetricService, useValue: METRICS },
    { provide: TimeseriesService, useValue: { find: echo('timeseries') } },
    { provide: MetricRemovalService, useValue: { erase: echo('erase') } },
  ],
  exports: [MetricService, MetricRemovalService, TimeseriesService],
})
class FakeServices {}

describe('MetricController', () => {
  let app: INestApplication;
  const get = (path: string) =>
    request(app.getHttpServer() as never)
      .get(`/api${path}`)
      .set('X-Session-Id', SESSIONS.user);

  beforeAll(async () => {
    app = await createEdgeApp({ controllers: [MetricController], imports: [FakeServices] });
  });
  afterAll(() => app.close());
  beforeEach(() => calls.splice(0));

  it.each(['/metrics', '/metrics/search?q=a', '/metric/up', '/metric/up/timeseries'])(
    '%s requires the read permission',
    async (path) => {
      const server = app.getHttpServer() as never;
      await request(server).get(`/api${path}`).expect(401);
      await request(server).get(`/api${path}`).set('X-Auth-Token', TOKENS.ingest).expect(403);
      const answer = await request(server).get(`/api${path}`).set('X-Auth-Token', TOKENS.read).expect(200);
      expect(answer.body).toMatchObject({ status: { code: 200 }, data: { called: expect.any(String) as string } });
    },
  );

  it('passes the organisation and the default parameters of a list', async () => {
    await get('/metrics').expect(200);
    expect(calls).toEqual([
      [
        'list',
        expect.objectContaining({ id: 7, timezone: 'Europe/Oslo' }),
        { limit: 100, offset: 0, state: ['active', 'stale', 'inactive'], order: 'name' },
      ],
    ]);
  });

  it('reads list parameters from the query and from the body of a POST', async () => {
    const expected = {
      limit: 5,
      offset: 10,
      state: ['removed'],
      order: 'anomalies',
      type: 'rate',
      source: 'json',
      q: 'x',
    };
    await get('/metrics?limit=5&offset=10&state=removed&order=anomalies&type=rate&source=json&q=x').expect(200);
    await request(app.getHttpServer() as never)
      .post('/api/metrics')
      .set('X-Session-Id', SESSIONS.user)
      .send({ ...expected, limit: '5', unknown: 'ignored' })
      .expect(200);
    expect(calls.map((call) => call[2])).toEqual([expected, expected]);
  });

  it.each([
    ['/metrics?limit=0', 'limit out_of_range'],
    ['/metrics?limit=1001', 'limit out_of_range'],
    ['/metrics?offset=100001', 'offset out_of_range'],
    ['/metrics?state=asleep', 'state not_one_of'],
    ['/metrics?type=histogram', 'type not_one_of'],
    ['/metrics?order=random', 'order not_one_of'],
    ['/metrics?chips=%22open', 'chips bad_chip'],
    [`/metrics?q=${'x'.repeat(201)}`, 'q too_long'],
    ['/metrics/search', 'q exactly_one'],
    ['/metrics/search?q=a&chips=b', 'q exactly_one'],
    ['/metrics/search?q=a&limit=201', 'limit out_of_range'],
    ['/metric/up/timeseries?resolution=0', 'resolution out_of_range'],
    ['/metric/up/timeseries?max_points=9', 'max_points out_of_range'],
    ['/metric/up/timeseries?max_points=10001', 'max_points out_of_range'],
    ['/metric/up/timeseries?function=median', 'function not_one_of'],
    ['/metric/up/timeseries?envelope=perhaps', 'envelope not_boolean'],
    ['/metric/up/timeseries?derivative=2', 'derivative not_boolean'],
    ['/metric/up/timeseries?fill=zero', 'fill not_one_of'],
    ['/metric/up/timeseries?from=1', 'from out_of_range'],
    [`/metric/up/timeseries?from=${String(FIXED_NOW)}&until=${String(FIXED_NOW)}`, 'until from_not_before_until'],
  ])('%s is rejected: %s', async (path, expected) => {
    const answer = await get(path).expect(400);
    const { error } = (answer.body as { data: { error: { code: string; details: { field: string; code: string }[] } } })
      .data;
    expect(error.code).toBe('validation_failed');
    expect(error.details.map(({ field, code }) => `${field} ${code}`)).toEqual([expected]);
    expect(calls).toEqual([]);
  });

  it.each([
    ['/metric/up', { name: 'up' }],
    ['/metric/id:12', { id: 12 }],
    ['/metric/a%2Fb', { name: 'a/b' }],
    ['/metric/up%7Bz%3D%221%22%2C%20b%3D%222%22%7D', { name: 'up{b="2",z="1"}' }],
    ['/metric/50%25', { name: '50%' }],
    ['/metric/h%C3%A9', { name: 'hé' }],
    ['/metric/up/', { name: 'up' }],
  ])('%s addresses %j', async (path, ref) => {
    await get(path).expect(200);
    expect(calls[0]).toEqual(['find', expect.anything(), ref]);
  });

  it.each([
    '/metric/nobody',
    '/metric/id:0',
    '/metric/a%20b',
    '/metric/up%7Bjob%3Dapi%7D',
    '/metric/id:99999999999999999999',
  ])('%s returns 404', async (path) => {
    const answer = await get(path).expect(404);
    expect(answer.body).toMatchObject({ data: { error: { code: 'not_found' } } });
  });

  it('passes the default parameters of a time series', async () => {
    await get('/metric/id:3/timeseries').expect(200);
    expect(calls).toEqual([
      [
        'timeseries',
        expect.anything(),
        { id: 3 },
        expect.objectContaining({ max_points: 2000, function: 'avg', envelope: false, fill: 'null', format: 'json' }),
      ],
    ]);
  });
});
