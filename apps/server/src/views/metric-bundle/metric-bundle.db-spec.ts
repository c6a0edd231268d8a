import { Permission } from '#libs/contracts';
import { type Answer, MetricApp } from '../../../../../test/support/metric-app.js';
import { HandClock, START } from '../../../../../test/support/hand-clock.js';
import { MetricBundleModule } from './metric-bundle.module.js';

let app: MetricApp;
let orgId: number;
let token: string;

beforeAll(async () => {
  app = await MetricApp.create({ clock: new HandClock() }, [MetricBundleModule]);
});
afterAll(() => app.close());
beforeEach(async () => {
  orgId = (await app.anOrg({ timezone: 'UTC' })).id;
  token = await app.aToken(orgId, Permission.Read);
});

const get = (path: string): Promise<Answer> => app.call('get', path, { token });

describe('GET /metric/{metric_name}/bundle', () => {
  it('returns each part as its own call does', async () => {
    const metricId = await app.aMetric(orgId, 'web-1.cpu');
    await app.anAnomaly(orgId, metricId, START - 600, START - 300);
    const window = `from=${String(START - 3600)}&until=${String(START)}`;
    const { status, data } = await get(`/metric/web-1.cpu/bundle?${window}&max_points=100`);
    expect(status).toBe(200);
    expect(Object.keys(data).sort()).toEqual(
      ['metric', 'from', 'until', 'timeseries', 'yhat', 'anomalies', 'matches', 'patterns'].sort(),
    );
    expect(data).toMatchObject({ metric: { id: metricId }, from: START - 3600, until: START });
    expect(data.anomalies.anomalies).toHaveLength(1);
    expect(data.matches).toMatchObject({ matches: [], total: 0 });
    for (const [part, query] of [
      ['timeseries', '&max_points=100'],
      ['yhat', '&max_points=100'],
      ['anomalies', '&limit=1000'],
      ['patterns', '&limit=1000'],
    ] as const) {
      const alone = (await get(`/metric/web-1.cpu/${part}?${part === 'patterns' ? '' : window}${query}`)).data;
      expect(data[part]).toEqual(alone);
    }
  });

  it('returns only the requested parts', async () => {
    await app.aMetric(orgId, 'web-1.cpu');
    const { data } = await get('/metric/web-1.cpu/bundle?include=watchers,related');
    expect(Object.keys(data).sort()).toEqual(['from', 'metric', 'related', 'until', 'watchers']);
    expect(data).toMatchObject({ watchers: [], related: { related: [] } });
    expect((await get('/metric/web-1.cpu/bundle?include=secrets')).status).toBe(400);
    expect((await get('/metric/unknown/bundle')).status).toBe(404);
  });
});
