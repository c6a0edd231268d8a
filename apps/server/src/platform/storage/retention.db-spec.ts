import { type RetentionTiers } from '#libs/series';
import { START } from '../../../../../test/support/hand-clock.js';
import { MetricApp } from '../../../../../test/support/metric-app.js';
import { OrgService } from '../../people/org/org.service.js';
import { TimeseriesService } from '../../data/metric/timeseries.service.js';
import { MetricService } from '../../data/metric/metric.service.js';
import { RetentionPlansService } from './retention-plans.service.js';
import { DEFAULT_TIERS, tiersOf } from './retention-tiers.js';
import { SeriesMaintenanceService } from './series-maintenance.service.js';

const MINUTE = 60;
const HOUR = 3600;
const DAY = 86_400;
const PAST_DAYS = 40;

let app: MetricApp;

beforeAll(async () => {
  app = await MetricApp.create({ env: { PLUMBLINE_TIER_1_DAYS: '7', PLUMBLINE_TIER_2_DAYS: '400' } });
  await app.byHand(SeriesMaintenanceService);
});
afterAll(() => app.close());
beforeEach(() => {
  app.clock.seconds = START;
});

const update = (orgId: number, fields: Parameters<OrgService['update']>[1]): Promise<void> =>
  app.get(OrgService).update(orgId, fields);

const retire = () => app.get(SeriesMaintenanceService).applyRetention();

/** Creates a metric with a point every ten minutes of the past 40 days. */
async function withHistory(orgId: number, name: string): Promise<number> {
  const id = await app.aMetric(orgId, name, { lastTimestamp: START });
  const count = PAST_DAYS * 144;
  const first = START - (START % 600) - count * 600;
  await app.series.write({
    ids: new Uint32Array(count).fill(id),
    timestamps: Float64Array.from({ length: count }, (_, i) => first + i * 600),
    values: Float64Array.from({ length: count }, (_, i) => i % 100),
  });
  return id;
}

/** Returns the age of the oldest slot in days. */
async function slotsOf(id: number): Promise<number> {
  const { timestamps } = await app.series.readRaw(id, 0, START);
  return Math.floor((START - timestamps[0]!) / DAY);
}

const hoursOf = async (id: number) => {
  const from = START - (START % DAY) - PAST_DAYS * DAY;
  const query = { id, from, until: START, resolutionSeconds: HOUR, function: 'sum', envelope: true } as const;
  const { values, min, max } = await app.series.read(query);
  return { sums: [...values], min: [...min!], max: [...max!] };
};

describe('the retention of an organisation', () => {
  it('is the configured default, and then the setting of the organisation', async () => {
    const org = await app.anOrg();
    expect(org).toMatchObject({ retention1PeriodSeconds: 7 * DAY, retention2PeriodSeconds: 400 * DAY });
    expect(await app.get(RetentionPlansService).getTiers(org.id)).toMatchObject({
      tier2: { periodSeconds: 400 * DAY },
    });
    await update(org.id, { retention1PeriodSeconds: 3 * DAY, retention2ResolutionSeconds: 1800 });
    expect(await app.get(RetentionPlansService).getTiers(org.id)).toEqual({
      tier1: { resolutionSeconds: 60, periodSeconds: 3 * DAY },
      tier2: { resolutionSeconds: 1800, periodSeconds: 400 * DAY },
    });
    expect(await app.get(RetentionPlansService).getTiers(999_999)).toEqual(DEFAULT_TIERS);
  });

  it('applies independently of other organisations', async () => {
    const short = await app.anOrg({ retention1PeriodSeconds: 3 * DAY });
    const long = await app.anOrg({ retention1PeriodSeconds: 30 * DAY });
    const [a, b] = [await withHistory(short.id, 'a'), await withHistory(long.id, 'b')];
    const before = [await hoursOf(a), await hoursOf(b)];

    expect(await retire()).toBe(true);

    expect(await slotsOf(a)).toBe(3);
    expect(await slotsOf(b)).toBe(30);
    expect([await hoursOf(a), await hoursOf(b)]).toEqual(before);
  });

  it('removes slots when its period is shortened, and restores none when extended', async () => {
    const { id: orgId } = await app.anOrg({ retention1PeriodSeconds: 20 * DAY });
    const id = await withHistory(orgId, 'a');
    const before = await hoursOf(id);
    await retire();
    expect(await slotsOf(id)).toBe(20);

    await update(orgId, { retention1PeriodSeconds: 5 * DAY });
    await retire();
    expect(await slotsOf(id)).toBe(5);
    await update(orgId, { retention1PeriodSeconds: 30 * DAY });
    await retire();
    expect(await slotsOf(id)).toBe(5);
    expect(await hoursOf(id)).toEqual(before);
  });

  it('removes roll-ups when the period of tier 2 is shortened', async () => {
    const { id: orgId } = await app.anOrg();
    const { id: otherId } = await app.anOrg();
    const [id, other] = [await withHistory(orgId, 'a'), await withHistory(otherId, 'a')];
    const before = await hoursOf(id);
    await retire();
    await update(orgId, { retention2PeriodSeconds: 8 * DAY });
    app.clock.seconds = START + 30 * DAY;
    await retire();

    // Roll-ups are deleted in periods of 30 days.
    expect((await hoursOf(id)).sums.length).toBeLessThan(before.sums.length);
    expect(await hoursOf(other)).toEqual(before);
  });

  it('keeps existing roll-ups after their length was changed', async () => {
    const { id: orgId } = await app.anOrg();
    const id = await withHistory(orgId, 'a');
    const before = await hoursOf(id);
    await retire();
    await update(orgId, { retention2ResolutionSeconds: 1200, retention1PeriodSeconds: 3 * DAY });
    await retire();

    expect(await hoursOf(id)).toEqual(before);
    const metric = await app.get(MetricService).resolve(orgId, { id });
    const request = { from: START - 5 * DAY, until: START, maxPoints: 2000, function: 'avg', envelope: true } as const;
    const settings = await app.get(OrgService).getAnalysisVariables(orgId);
    const wanted = { ...request, fill: 'none', resolutionSeconds: undefined } as const;
    const answer = await app.get(TimeseriesService).read(metric, wanted, settings);
    // Five days of ten-minute points, the first of them in slots of twenty minutes.
    expect(answer).toMatchObject({ resolution_seconds: 1200, tier: 2 });
  });

  it('lets series be read in their longest stored slots after a period was extended', async () => {
    const { id: orgId } = await app.anOrg({ retention2ResolutionSeconds: 1200 });
    const id = await withHistory(orgId, 'a');
    await retire();
    await update(orgId, { retention1PeriodSeconds: 30 * DAY });

    const metric = await app.get(MetricService).resolve(orgId, { id });
    const request = {
      from: START - 10 * DAY,
      until: START,
      maxPoints: 2000,
      function: 'avg',
      envelope: false,
    } as const;
    const settings = await app.get(OrgService).getAnalysisVariables(orgId);
    const of = (resolutionSeconds?: number) =>
      app.get(TimeseriesService).read(metric, { ...request, fill: 'null', resolutionSeconds }, settings);
    const answer = await of();
    expect(answer).toMatchObject({ resolution_seconds: 1200, tier: 2 });
    expect(answer.points.every(([, value]) => value !== null)).toBe(true);
    // A finer requested resolution returns the points that exist.
    expect(await of(600)).toMatchObject({ resolution_seconds: 600, tier: 0 });
  });

  it('includes a new metric in the plans of the installation', async () => {
    const plan = await app.get(RetentionPlansService).ofInstallation();
    const { id: orgId } = await app.anOrg({ retention1PeriodSeconds: 9 * DAY });
    const id = await app.aMetric(orgId, 'a');
    const after = await app.get(RetentionPlansService).ofInstallation();
    expect(plan.newestId).toBe(id - 1);
    expect(after.newestId).toBe(id);
    const group = after.groups.find(({ ids }) => ids.includes(id));
    expect(group?.tiers.tier1.periodSeconds).toBe(9 * DAY);
  });
});

describe('invalid combinations of retention settings', () => {
  const settings = {
    retention1ResolutionSeconds: MINUTE,
    retention1PeriodSeconds: 7 * DAY,
    retention2ResolutionSeconds: 600,
    retention2PeriodSeconds: 90 * DAY,
  };
  const lengths = ({ tier1, tier2 }: RetentionTiers) => [tier1.resolutionSeconds, tier2.resolutionSeconds];

  it('are replaced by the nearest valid ones', () => {
    expect(lengths(tiersOf(settings))).toEqual([60, 600]);
    expect(lengths(tiersOf({ ...settings, retention2ResolutionSeconds: 90 }))).toEqual([60, 120]);
    expect(
      lengths(tiersOf({ ...settings, retention1ResolutionSeconds: 300, retention2ResolutionSeconds: 60 })),
    ).toEqual([300, 300]);
    expect(lengths(tiersOf({ ...settings, retention2ResolutionSeconds: 7200 }))).toEqual([60, 3600]);
    expect(tiersOf({ ...settings, retention2PeriodSeconds: DAY }).tier2.periodSeconds).toBe(7 * DAY);
  });
});
