import { collectFetched, type FetchedOptions, type FetchedSeries } from './collect-fetched.js';
import { parseLimits } from './limits.js';

const NOW = 1_760_000_000;
const DAY = 86_400;
const OPTIONS: FetchedOptions = { type: null, isTypedByName: false, unit: null, liveFrom: NOW - 3600 };
const series = (more: Partial<FetchedSeries> = {}): FetchedSeries => ({
  ...{ name: 'cpu', labels: [['host', 'a']], timestamps: [NOW - 60, NOW], values: [1, 2] },
  ...more,
});
const collect = (all: readonly FetchedSeries[], options: Partial<FetchedOptions> = {}) =>
  collectFetched(all, { ...OPTIONS, ...options }, parseLimits(NOW));

describe('collectFetched', () => {
  it('returns columns of series under canonical names', () => {
    const { batch, refusals } = collect([series({ name: 'a b', labels: [['x', '1'], ['host', 'a']] })]); // prettier-ignore
    expect(batch.series).toMatchObject([{ name: 'a_b{host="a",x="1"}', backfill: false, type: null }]);
    expect([[...batch.timestamps], [...batch.values], refusals.total]).toEqual([[NOW - 60, NOW], [1, 2], 0]); // prettier-ignore
  });

  it('marks old points as backfill, and newer points of the same series as live', () => {
    const timestamps = [NOW - 3 * DAY, NOW - 3601, NOW - 3600, NOW];
    const { batch, refusals } = collect([series({ timestamps, values: [1, 2, 3, 4] })]);
    expect(Array.from(batch.seriesIndex, (index) => batch.series[index]!.backfill)).toEqual([true, true, false, false]);
    expect(refusals.total).toBe(0);
    expect(collect([series()], { liveFrom: Infinity }).batch.series).toMatchObject([{ backfill: true }]);
  });

  it('uses the explicit type first, then the type by name if enabled', () => {
    const counter = series({ name: 'requests_total' });
    const typeOf = (options: Partial<FetchedOptions>) => collect([counter], options).batch.series[0];
    expect(typeOf({})).toMatchObject({ type: null });
    expect(typeOf({ isTypedByName: true })).toMatchObject({ type: 'counter', typeSource: 'suffix' });
    expect(typeOf({ isTypedByName: true, type: 'gauge', unit: 'ms' })).toMatchObject({
      ...{ type: 'gauge', typeSource: 'explicit', unit: 'ms' },
    });
  });

  it('counts points without a valid name or time, and keeps the rest', () => {
    const { batch, refusals } = collect([
      series({ name: '' }),
      series({ name: 'x'.repeat(2000) }),
      series({ labels: Array.from({ length: 41 }, (_, key) => [`l${String(key)}`, 'x'] as const) }),
      series({ timestamps: [NOW + 3600], values: [1] }),
      series({ name: 'good' }),
    ]);
    expect(batch.series.map(({ name }) => name)).toEqual(['good{host="a"}']);
    expect(refusals.total).toBe(7);
  });
});
