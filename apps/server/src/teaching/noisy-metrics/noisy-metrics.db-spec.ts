import { Permission } from '#libs/contracts';
import { START } from '../../../../../test/support/hand-clock.js';
import { type Answer, MetricApp } from '../../../../../test/support/metric-app.js';
import { SparklineModule } from '../../analysis/sparkline/sparkline.module.js';
import { NoisyMetricsModule } from './noisy-metrics.module.js';

const DAY = 86_400;

let app: MetricApp;
let orgId: number;
let token: string;

beforeAll(async () => {
  app = await MetricApp.create({}, [NoisyMetricsModule, SparklineModule]);
});
afterAll(() => app.close());
beforeEach(async () => {
  orgId = (await app.anOrg({ timezone: 'Europe/Oslo' })).id;
  token = await app.aToken(orgId, Permission.Read);
});

const get = (path: string): Promise<Answer> => app.call('get', path, { token });

describe('GET /metrics/noisiest', () => {
  it('returns metrics by number of anomalies, with a suggestion and a tuning', async () => {
    const noisy = await app.aMetric(orgId, 'db{host="a"}', { labels: { host: 'a' } });
    const nightly = await app.aMetric(orgId, 'backup');
    for (let n = 0; n < 6; n++)
      await app.anAnomaly(orgId, noisy, START - 100_000 * (n + 1), START - 100_000 * (n + 1) + 60);
    for (let n = 1; n < 5; n++) await app.anAnomaly(orgId, nightly, START - n * DAY, START - n * DAY + 3600);
    await app.anAnomaly(orgId, nightly, START - 40 * DAY, START - 40 * DAY + 60);
    const strangers = (await app.anOrg()).id;
    await app.anAnomaly(strangers, await app.aMetric(strangers, 'x'), START - 1000);

    const { data } = await get('/metrics/noisiest');
    expect(data).toMatchObject({ total_anomalies: 10, total_alerts: 0, from: START - 30 * DAY, until: START });
    expect(data.metrics).toEqual([
      {
        metric: 'db{host="a"}',
        metric_id: noisy,
        anomalies: 6,
        open: 0,
        alerts: 0,
        acknowledged: 0,
        trained: 0,
        confirmed: 0,
        share: 0.6,
        suggestion: 'tune',
        suggestion_text: '6 of 6 lasted less than 5 minute: wait that long before one opens.',
        suggested_tuning: { chips: ['@name:"db{host=\\"a\\"}"'], min_duration_seconds: 300 },
      },
      expect.objectContaining({
        metric_id: nightly,
        anomalies: 4,
        suggestion: 'train',
        suggestion_text: '4 of 4 began around 10:53, on 4 days: train one of them as expected.',
        suggested_tuning: null,
      }),
    ]);
    expect((await get('/metrics/noisiest?chips=host:a')).data.metrics).toHaveLength(1);
    expect((await get('/metrics/noisiest?limit=1')).data.metrics).toHaveLength(1);
  });
});

describe('GET /metrics/sparklines', () => {
  it('returns a few points of several metrics, with expected range and anomalies', async () => {
    const steady = await app.aMetric(orgId, 'steady', { createdTimestamp: START - 15 * DAY });
    const empty = await app.aMetric(orgId, 'empty');
    const stranger = await app.aMetric((await app.anOrg()).id, 'x');
    const rows = 3 * 1440;
    const first = Math.floor(START / 60) * 60 - (rows - 1) * 60;
    await app.series.write({
      ids: new Uint32Array(rows).fill(steady),
      timestamps: Float64Array.from({ length: rows }, (_, row) => first + row * 60),
      values: Float64Array.from({ length: rows }, (_, row) => 100 + ((row * 7919) % 101) / 10),
    });
    await app.anAnomaly(orgId, steady, START - 5000, START - 4000);
    await app.anAnomaly(orgId, steady, START - 3 * DAY, START - 2 * DAY);
    const { data } = await get(`/metrics/sparklines?metric_ids=${[empty, stranger, steady, 999_999].join(',')}`);
    expect(data.sparklines.map(({ metric_id }: { metric_id: number }) => metric_id)).toEqual([empty, steady]);
    const [blank, line] = data.sparklines;
    expect(blank.points.every(([, value]: [number, number | null]) => value === null)).toBe(true);
    expect(line).toMatchObject({
      resolution_seconds: 1800,
      anomalies: [{ from: START - 5000, until: START - 3940, severity: 40 }],
    });
    expect(line.points.length).toBeLessThanOrEqual(48);
    expect(line.lower).toHaveLength(line.points.length);
    for (const [at, [, value]] of line.points.entries()) {
      expect(value).toBeGreaterThan(100);
      expect(line.lower[at]).toBeLessThan(value);
      expect(line.upper[at]).toBeGreaterThan(value);
    }
    const short = await get(`/metrics/sparklines?metric_ids=${String(steady)}&from=${String(START - 1800)}&points=31`);
    expect(short.data.sparklines[0]).toMatchObject({ resolution_seconds: 60 });
    expect(new Set(short.data.sparklines[0].lower)).toEqual(new Set([null]));
    expect((await get('/metrics/sparklines')).data.error.details[0]).toMatchObject({
      field: 'metric_ids',
      code: 'required',
    });
  });
});
