import fc from 'fast-check';
import { breakAtSilence, downsampleLine, downsampleRange, rowsWithin } from './downsample.js';

const minutes = (count: number): number[] => Array.from({ length: count }, (_, i) => i * 60);
const WINDOW = { from: 0, until: 600_000 };

describe('rowsWithin', () => {
  it('includes both bounds and all rows with the same time', () => {
    expect(rowsWithin([0, 10, 10, 20, 20, 30], 10, 20)).toEqual({ first: 1, end: 5 });
  });
});

describe('downsampleLine', () => {
  it('keeps every point when there are few', () => {
    const line = downsampleLine([0, 60, 120], [1, NaN, 3], { from: 0, until: 120 }, 100);
    expect(line).toEqual({ timestamps: [0, 60, 120], values: [1, NaN, 3] });
  });

  it('drops points outside the window', () => {
    expect(downsampleLine(minutes(10), minutes(10), { from: 120, until: 240 }, 100).timestamps).toEqual([
      120, 180, 240,
    ]);
  });

  it('keeps a limited number of points per bucket in ascending order, with all extremes', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ noNaN: true }), { minLength: 500, maxLength: 2000 }), (values) => {
        const window = { from: 0, until: values.length * 60 };
        const line = downsampleLine(minutes(values.length), values, window, 50);
        const finite = values.filter(Number.isFinite);
        expect(line.timestamps.length).toBeLessThanOrEqual(4 * 51 * 2);
        line.timestamps.slice(1).forEach((time, i) => expect(time).toBeGreaterThan(line.timestamps[i]!));
        const drawn = line.values.filter(Number.isFinite);
        expect(Math.max(...drawn)).toBe(Math.max(...finite));
        expect(Math.min(...drawn)).toBe(Math.min(...finite));
      }),
      { seed: 11, numRuns: 50 },
    );
  });

  it('keeps a single extreme point among 10,000', () => {
    const values = new Float64Array(10_000).fill(5);
    values[7_777] = 900;
    const line = downsampleLine(minutes(10_000), values, WINDOW, 100);
    expect(line.values).toContain(900);
    expect(line.timestamps[line.values.indexOf(900)]).toBe(7_777 * 60);
  });

  it('keeps visible gaps and drops gaps that are too short to see', () => {
    const values = new Float64Array(10_000).fill(5);
    values.fill(NaN, 3_000, 3_500);
    values.fill(NaN, 6_000, 6_010);
    const line = downsampleLine(minutes(10_000), values, WINDOW, 100);
    const gaps = line.timestamps.filter((_, i) => Number.isNaN(line.values[i]));
    expect(gaps).toEqual([3_000 * 60]);
  });

  it('returns no rows for a series without values', () => {
    expect(
      downsampleLine(minutes(1_000), new Float64Array(1_000).fill(NaN), { from: 0, until: 60_000 }, 10).values,
    ).toEqual([]);
  });
});

describe('downsampleRange', () => {
  it('returns the outermost bounds and the mean forecast of each bucket', () => {
    const count = 1_000;
    const lower = Float64Array.from({ length: count }, (_, i) => (i % 2 === 0 ? 1 : 2));
    const upper = Float64Array.from({ length: count }, (_, i) => (i % 2 === 0 ? 10 : 12));
    const yhat = Float64Array.from({ length: count }, (_, i) => (i % 2 === 0 ? 4 : 6));
    const range = downsampleRange({ timestamps: minutes(count), lower, upper, yhat }, { from: 0, until: 60_000 }, 10);
    expect(range.timestamps).toHaveLength(10);
    expect(new Set(range.lower)).toEqual(new Set([1]));
    expect(new Set(range.upper)).toEqual(new Set([12]));
    range.yhat.forEach((value) => expect(value).toBeCloseTo(5, 1));
  });

  it('has a gap where a bound is missing', () => {
    const range = downsampleRange(
      { timestamps: [0, 60, 120], lower: [1, NaN, 1], upper: [2, 2, 2], yhat: [1.5, 1.5, NaN] },
      { from: 0, until: 120 },
      100,
    );
    expect(range).toEqual({ timestamps: [0, 60, 120], lower: [1, NaN, 1], upper: [2, NaN, 2], yhat: [1.5, NaN, NaN] });
  });
});

describe('breakAtSilence', () => {
  it('inserts a gap in the middle of a long pause', () => {
    const broken = breakAtSilence([0, 60, 120, 1000, 1060], { values: [1, 2, 3, 4, 5] });
    expect(Array.from(broken.timestamps)).toEqual([0, 60, 120, 560, 1000, 1060]);
    expect(Array.from(broken.columns.values)).toEqual([1, 2, 3, NaN, 4, 5]);
  });

  it.each([[[]], [[5]], [[0, 60, 120, 240]]])('returns %p, which has no pause, unchanged', (timestamps) => {
    expect(Array.from(breakAtSilence(timestamps, {}).timestamps)).toEqual(timestamps);
  });
});
