import { sparklineOf, sparklineStep } from './sparkline.service.js';

describe('sparklines', () => {
  it.each([
    [86_400, 48, 600, 1800],
    [86_400, 200, 600, 600],
    [7 * 86_400, 48, 600, 12_600],
    [3600, 48, 60, 120],
    [10, 12, 60, 60],
  ])('over %d s in %d points with slots of %d s have one point every %d s', (span, points, slot, step) => {
    expect(sparklineStep({ from: 0, until: span }, points, slot)).toBe(step);
  });

  it('contain the mean of each interval, and omit empty intervals', () => {
    const timestamps = Float64Array.of(590, 600, 1200, 1800, 3000, 3600);
    const values = Float64Array.of(99, 1, 3, NaN, 7, 99);
    const lower = Float64Array.of(0, NaN, NaN, 1, 2, 0);
    const line = sparklineOf({ timestamps, values, lower, upper: values }, { from: 595, until: 3599 }, 600 * 2);
    expect(line.points).toEqual([
      [1200, 3],
      [2400, 7],
    ]);
    expect(line.lower).toEqual([1, 2]);
    expect(sparklineOf({ timestamps, values, lower, upper: values }, { from: 601, until: 1199 }, 600).points).toEqual(
      [],
    );
  });
});
