import { QUIET_KIND_NAMES } from './quiet-kinds.js';
import { QUIET_START, quietSeries } from './quiet-series.js';
import { QUIET_TROUBLES, withTroubles } from './visible-trouble.js';

describe('quiet series', () => {
  it.each(QUIET_KIND_NAMES)('of kind %s are finite, not constant, and reproducible by seed', (kind) => {
    const { timestamps, values } = quietSeries(kind, 1, 3);
    expect(timestamps).toHaveLength(3 * 1440);
    expect(timestamps[0]).toBe(QUIET_START);
    expect(values.every((value) => Number.isFinite(value))).toBe(true);
    expect(new Set(values).size).toBeGreaterThan(1);
    expect(quietSeries(kind, 1, 3).values).toEqual(values);
    expect(quietSeries(kind, 2, 3).values).not.toEqual(values);
  });

  it('have longer slots with the mean of the minutes, or their sum for counts', () => {
    const mean = (values: Float64Array): number => values.reduce((sum, value) => sum + value, 0) / values.length;
    const minutes = quietSeries('walk', 1, 1);
    const fives = quietSeries('walk', 1, 1, 300);
    expect(fives.timestamps[1]! - fives.timestamps[0]!).toBe(300);
    expect(fives.values[0]).toBeCloseTo(mean(minutes.values.subarray(0, 5)), 9);
    const counts = quietSeries('counts', 1, 1).values.subarray(0, 5);
    expect(quietSeries('counts', 1, 1, 300).values[0]).toBe(5 * mean(counts));
  });
});

describe('withTroubles', () => {
  it('inserts one trouble of each kind and leaves all other rows unchanged', () => {
    const quiet = quietSeries('daily', 3, 28);
    const { series, troubles } = withTroubles(quiet, 3, 15);
    expect(troubles.map(({ trouble }) => trouble).sort()).toEqual([...QUIET_TROUBLES].sort());
    const isAnomalous = (row: number): boolean => troubles.some(({ from, until }) => row >= from && row < until);
    const changed = [...series.values.keys()].filter((row) => series.values[row] !== quiet.values[row]);
    expect(changed.length).toBeGreaterThan(0);
    expect(changed.every(isAnomalous)).toBe(true);
    expect(troubles.every(({ from }) => from >= 15 * 1440)).toBe(true);
  });

  it('marks an outage of a daily series as visible, but not of a series that is mostly zero', () => {
    const outageOf = (kind: 'daily' | 'sparse_errors'): boolean | undefined =>
      withTroubles(quietSeries(kind, 1, 28), 1, 15).troubles.find(({ trouble }) => trouble === 'outage')?.isVisible;
    expect(outageOf('daily')).toBe(true);
    expect(outageOf('sparse_errors')).toBe(false);
  });

  it('marks a constant value as visible only in a series that is never constant', () => {
    const stuckIn = (kind: 'daily' | 'connections' | 'sparse_errors'): boolean | undefined =>
      withTroubles(quietSeries(kind, 1, 28), 1, 15).troubles.find(({ trouble }) => trouble === 'stuck')?.isVisible;
    expect(stuckIn('daily')).toBe(true);
    expect(stuckIn('sparse_errors')).toBe(false);
  });
});
