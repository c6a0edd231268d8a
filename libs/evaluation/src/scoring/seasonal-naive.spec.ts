import { seasonalNaiveRange } from './seasonal-naive.js';

const HOUR = 3600;

describe('seasonalNaiveRange', () => {
  const timestamps = Float64Array.from({ length: 240 }, (_, hour) => 1_700_000_000 + hour * HOUR);

  it('is the previous day plus its usual errors, once 100 errors are known', () => {
    // Each day is one higher than the day before: every error is 1. Row 24 has the first error; 100 precede row 124.
    const values = Float64Array.from(timestamps, (_, hour) => Math.floor(hour / 24) + 10 * (hour % 24));
    const { lower, upper } = seasonalNaiveRange(timestamps, values, 0.02);
    expect(lower.findIndex((end) => !Number.isNaN(end))).toBe(124);
    for (let row = 124; row < 240; row++) {
      expect(lower[row]).toBe(values[row]);
      expect(upper[row]).toBe(values[row]);
    }
  });

  it('uses the quantiles of the errors before the row', () => {
    // Zero for a day, then the n-th row is n higher than the row a day before. The errors before row 124 are 1..100.
    const values = new Float64Array(240);
    for (let row = 24; row < 240; row++) values[row] = values[row - 24]! + row - 23;
    const { lower, upper } = seasonalNaiveRange(timestamps, values, 0.02);
    // numpy.quantile(range(1, 101), [0.01, 0.99]): 1.99 and 99.01.
    expect(lower[124]! - values[100]!).toBeCloseTo(1.99, 10);
    expect(upper[124]! - values[100]!).toBeCloseTo(99.01, 10);
    // With one more error, 101: 1 + 0.01 * 100 and 1 + 0.99 * 100.
    expect(lower[125]! - values[101]!).toBeCloseTo(2, 10);
    expect(upper[125]! - values[101]!).toBeCloseTo(100, 10);
  });

  it('does not depend on later rows', () => {
    const values = Float64Array.from(timestamps, (_, hour) => (hour * 7919) % 13);
    const changed = values.map((value, row) => (row >= 200 ? 1e6 : value));
    const [one, other] = [values, changed].map((column) => seasonalNaiveRange(timestamps, column, 0.02));
    expect(other!.lower.subarray(0, 201)).toEqual(one!.lower.subarray(0, 201));
    expect(other!.upper.subarray(0, 201)).toEqual(one!.upper.subarray(0, 201));
  });

  it('uses the newest earlier value when there is no value a day before', () => {
    const values = Float64Array.from(timestamps, (_, hour) => hour);
    values[150] = NaN;
    const { lower } = seasonalNaiveRange(timestamps, values, 0.02);
    // Row 150 has no value, so row 174 is compared with row 149, 25 hours before. All errors so far are 24.
    expect(lower[174]).toBe(149 + 24);
    expect(lower[150]).toBeNaN();
  });
});
