import { PostgresSeriesStore } from '#libs/series';
import { DEFAULT_ANALYSIS_VARIABLES } from '../../../../../test/support/analysis-variables.js';
import { createTestDatabase, type TestDatabase } from '../../../../../test/support/database.js';
import { HandClock } from '../../../../../test/support/hand-clock.js';
import { type CallerOrg } from '../../common/auth/caller.js';
import { ValidationFailedError } from '../../common/errors/app-error.js';
import { type OrgService } from '../../people/org/org.service.js';
import { type TimeseriesParams } from './dto/timeseries.params.js';
import { type MetricService } from './metric.service.js';
import { type MetricRecord } from './metric.types.js';
import { TimeseriesService } from './timeseries.service.js';
import { type SeriesPoint } from './timeseries.types.js';
import { type TimeseriesDto } from './timeseries.dto.js';

/** A multiple of ten minutes. */
const NOW = 1_760_000_400;
const DAY = 86_400;
const WEEK = 7 * DAY;
const ORG: CallerOrg = { id: 1, timezone: 'UTC', onboardingStatusId: 300 };
const QUERY = { max_points: 2000, function: 'avg', envelope: false, fill: 'null' } satisfies TimeseriesParams;

describe('TimeseriesService', () => {
  let database: TestDatabase;
  let store: PostgresSeriesStore;
  let metric: MetricRecord;
  let timeseries: TimeseriesService;
  let nextId = 1;

  beforeAll(async () => {
    database = await createTestDatabase();
    store = new PostgresSeriesStore({
      connectionString: database.url,
      tiers: {
        tier1: { resolutionSeconds: 60, periodSeconds: WEEK },
        tier2: { resolutionSeconds: 600, periodSeconds: 730 * DAY },
      },
    });
    timeseries = new TimeseriesService(
      { resolve: () => Promise.resolve(metric) } as unknown as MetricService,
      { getAnalysisVariables: () => Promise.resolve(DEFAULT_ANALYSIS_VARIABLES) } as unknown as OrgService,
      store,
      new HandClock(NOW),
    );
  });
  afterAll(async () => {
    await store.close();
    await database.drop();
  });
  beforeEach(() => {
    metric = { id: nextId++, orgId: 1, name: 'up', type: 'gauge', resolutionSeconds: 60 } as MetricRecord;
  });

  async function write(points: SeriesPoint[]): Promise<void> {
    await store.write({
      ids: new Uint32Array(points.length).fill(metric.id),
      timestamps: Float64Array.from(points, ([timestamp]) => timestamp),
      values: Float64Array.from(points, ([, value]) => value!),
    });
  }

  const find = (query: Partial<TimeseriesParams>): Promise<TimeseriesDto> =>
    timeseries.find(ORG, { id: metric.id }, { ...QUERY, ...query });

  it('returns stored slots unchanged, gaps as null, and both bounds', async () => {
    await write([
      [NOW - 360, 9],
      [NOW - 300, 1],
      [NOW - 240, 2],
      [NOW - 60, 4],
    ]);
    expect(await find({ from: NOW - 300, until: NOW - 60 })).toEqual({
      metric: 'up',
      metric_id: metric.id,
      from: NOW - 300,
      until: NOW - 60,
      resolution_seconds: 60,
      tier: 1,
      aggregated: false,
      function: 'avg',
      points: [
        [NOW - 300, 1],
        [NOW - 240, 2],
        [NOW - 180, null],
        [NOW - 120, null],
        [NOW - 60, 4],
      ],
      points_min: null,
      points_max: null,
      derivative: null,
    });
  });

  it('omits gaps with fill=none', async () => {
    await write([
      [NOW - 300, 1],
      [NOW - 60, 4],
    ]);
    expect((await find({ from: NOW - 300, until: NOW - 60, fill: 'none' })).points).toEqual([
      [NOW - 300, 1],
      [NOW - 60, 4],
    ]);
  });

  it('returns only gaps for a metric without values', async () => {
    const answer = await find({ from: NOW - 150, until: NOW - 60 });
    expect(answer.points).toEqual([
      [NOW - 120, null],
      [NOW - 60, null],
    ]);
    expect((await find({ from: NOW - 150, until: NOW - 60, fill: 'none' })).points).toEqual([]);
  });

  it.each<[string, Partial<TimeseriesParams>, Partial<MetricRecord>, number]>([
    ['a day', {}, {}, 60],
    ['a day in 100 points', { max_points: 100 }, {}, 900],
    ['a week', { from: NOW - WEEK }, {}, 360],
    ['a week and one second', { from: NOW - WEEK - 1, max_points: 10_000 }, {}, 120],
    ['more than tier 1 holds', { from: NOW - WEEK - 120, max_points: 10_000 }, {}, 600],
    ['a year', { from: NOW - 365 * DAY }, {}, 16_200],
    ['a slow metric', {}, { resolutionSeconds: 300 }, 300],
    ['a metric of 90 s', {}, { resolutionSeconds: 90 }, 60],
    ['a metric faster than slots', {}, { resolutionSeconds: 10 }, 60],
    ['a metric of unknown resolution', {}, { resolutionSeconds: null }, 60],
    ['the requested resolution', { resolution: 1200 }, {}, 1200],
  ])('uses the finest resolution that fits: %s', async (_, query, overrides, resolution) => {
    metric = { ...metric, ...overrides };
    const answer = await find(query);
    expect(answer.resolution_seconds).toBe(resolution);
    expect(answer.points.length).toBeLessThanOrEqual(query.max_points ?? QUERY.max_points);
  });

  it.each([
    ['avg', 2.5],
    ['min', 1],
    ['max', 4],
    ['sum', 10],
    ['last', 3],
  ] as const)('aggregates slots with %s', async (name, expected) => {
    await write([
      [NOW - 600, 1],
      [NOW - 540, 2],
      [NOW - 480, 4],
      [NOW - 420, 3],
    ]);
    const answer = await find({ from: NOW - 600, until: NOW - 1, resolution: 300, function: name, envelope: true });
    expect(answer).toMatchObject({
      aggregated: true,
      function: name,
      points: [
        [NOW - 600, expected],
        [NOW - 300, null],
      ],
      points_min: [
        [NOW - 600, 1],
        [NOW - 300, null],
      ],
      points_max: [
        [NOW - 600, 4],
        [NOW - 300, null],
      ],
    });
  });

  it('returns no envelope without aggregation', async () => {
    await write([[NOW - 60, 4]]);
    expect(await find({ envelope: true })).toMatchObject({ aggregated: false, points_min: null, points_max: null });
  });

  it('returns only complete intervals that start in the window', async () => {
    await write([
      [NOW - 660, 100],
      [NOW - 600, 1],
      [NOW - 60, 3],
      [NOW, 100],
    ]);
    const answer = await find({ from: NOW - 660, until: NOW - 300, resolution: 600 });
    expect(answer.points).toEqual([[NOW - 600, 2]]);
  });

  it('reads tier 2 for data older than a week', async () => {
    const old = NOW - 30 * DAY;
    await write([
      [old, 1],
      [old + 60, 3],
    ]);
    expect(await find({ from: old, until: old + 599 })).toMatchObject({
      tier: 2,
      aggregated: true,
      resolution_seconds: 600,
      points: [[old, 2]],
    });
  });

  describe('rates', () => {
    const COUNTS: SeriesPoint[] = [
      [NOW - 240, 60],
      [NOW - 180, 120],
      [NOW - 120, 30],
      [NOW - 60, 90],
    ];

    it('are returned for counters, from the point before the window and from 0 after a reset', async () => {
      metric = { ...metric, type: 'counter' };
      await write(COUNTS);
      const answer = await find({ from: NOW - 180, until: NOW - 60 });
      expect(answer.derivative).toEqual([
        [NOW - 180, 1],
        [NOW - 120, 0.5],
        [NOW - 60, 1],
      ]);
      expect(answer.points[0]).toEqual([NOW - 180, 120]);
      expect((await find({ derivative: false })).derivative).toBeNull();
    });

    it('are null without a previous point', async () => {
      metric = { ...metric, type: 'counter' };
      await write(COUNTS);
      expect((await find({ from: NOW - 240, until: NOW - 60 })).derivative?.[0]).toEqual([NOW - 240, null]);
    });

    it('are returned for other metrics on request', async () => {
      await write(COUNTS);
      expect((await find({ from: NOW - 180, until: NOW - 60 })).derivative).toBeNull();
      expect((await find({ from: NOW - 180, until: NOW - 60, derivative: true })).derivative).toEqual([
        [NOW - 180, 1],
        [NOW - 120, 0],
        [NOW - 60, 1],
      ]);
    });

    it('are computed from last values of intervals for any function', async () => {
      metric = { ...metric, type: 'counter' };
      await write(Array.from({ length: 20 }, (_, i) => [NOW - 1200 + i * 60, i * 60]));
      const answer = await find({ from: NOW - 600, until: NOW - 1, resolution: 300, function: 'min' });
      expect(answer.derivative).toEqual([
        [NOW - 600, 1],
        [NOW - 300, 1],
      ]);
    });
  });

  it('averages rates over longer intervals with resets, including one that has only begun', async () => {
    metric = { ...metric, type: 'counter' };
    const counts = [...Array.from({ length: 8 }, (_, i) => 600 + i * 60), 60, 120, 180];
    await write(counts.map((count, i) => [NOW - 600 + i * 60, count]));
    const answer = await find({ from: NOW - 600, until: NOW, resolution: 600 });
    expect(answer.derivative).toEqual([
      [NOW - 600, 1],
      [NOW, 1],
    ]);
  });

  it.each([
    [{ resolution: 90 }, 'resolution out_of_range'],
    [{ resolution: 60, from: NOW - 7 * DAY }, 'resolution out_of_range'],
    [{ from: NOW - 731 * DAY }, 'from window_too_long'],
  ])('rejects %j', async (query, expected) => {
    const error = await find(query).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ValidationFailedError);
    expect((error as ValidationFailedError).details.map(({ field, code }) => `${field} ${code}`)).toEqual([expected]);
  });
});
