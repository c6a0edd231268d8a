import fc from 'fast-check';
import { ROBUST_DEVIATION } from './robust-deviation.js';
import { SortedValues } from './sorted-values.js';

function sortedOf(values: readonly number[]): SortedValues {
  const sorted = new SortedValues(values.length + 1);
  for (const value of values) sorted.add(value);
  return sorted;
}

const ascending = (values: readonly number[]): number[] => values.toSorted((a, b) => a - b);

function medianOf(values: readonly number[]): number {
  const sorted = ascending(values);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

describe('SortedValues', () => {
  // numpy.median and scipy.stats.median_abs_deviation of 3 1 4 1 5 9 2 6 5 3 5: 4.0 and 1.0; mean distance 20/11.
  it('computes the median, the distances from it, and the number of smaller values', () => {
    const sorted = sortedOf([3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5]);
    expect(sorted.median()).toBe(4);
    expect(sorted.medianDistance(4)).toBe(1);
    expect(sorted.meanDistance(4)).toBeCloseTo(20 / 11, 12);
    expect(sorted.countBelow(5)).toBe(6);
  });

  it('has no median when empty', () => {
    expect(sortedOf([]).median()).toBeNaN();
    expect(sortedOf([]).medianDistance(0)).toBeNaN();
  });

  it('agrees with a sorted array after additions and a removal', () => {
    // Adding 0 makes -0 and 0 the same number for the comparison.
    const value = fc
      .oneof(fc.integer({ min: -3, max: 3 }), fc.double({ noNaN: true, min: -10, max: 10 }))
      .map((number) => number + 0);
    fc.assert(
      fc.property(fc.array(value, { minLength: 1, maxLength: 40 }), value, fc.nat(), (values, centre, which) => {
        const sorted = sortedOf(values);
        const check = (left: readonly number[]): void => {
          expect(Array.from(left, (_, rank) => sorted.at(rank))).toEqual(ascending(left));
          expect(sorted.median()).toBe(medianOf(left));
          expect(sorted.medianDistance(centre)).toBe(medianOf(left.map((one) => Math.abs(one - centre))));
        };
        check(values);
        if (values.length === 1) return;
        const gone = which % values.length;
        sorted.remove(values[gone]!);
        check(values.toSpliced(gone, 1));
      }),
      { seed: 81, numRuns: 500 },
    );
  });
});

describe('ROBUST_DEVIATION', () => {
  const run = (values: number[]): ReturnType<typeof ROBUST_DEVIATION.run> =>
    ROBUST_DEVIATION.run(Float64Array.from(values.keys()), Float64Array.from(values));

  it('scores the distance from the median in median deviations', () => {
    // 0 .. 100 repeatedly: median 50, median deviation 25.
    const values = Array.from({ length: 303 }, (_, row) => (row * 37) % 101);
    const { scores, lower, upper } = run([...values, 50 + 6 * 1.4826 * 25]);
    expect(scores[303]).toBeCloseTo(0.5, 12);
    expect(lower![303]).toBeCloseTo(50 - 6 * 1.4826 * 25, 9);
    expect(upper![303]).toBeCloseTo(50 + 6 * 1.4826 * 25, 9);
  });

  it('uses the mean deviation when most values are equal', () => {
    // 9 of 10 are 0, one is 1: mean deviation 0.1.
    const values = Array.from({ length: 300 }, (_, row) => (row % 10 === 0 ? 1 : 0));
    const { scores } = run([...values, 1]);
    const z = 1 / (1.2533 * 0.1);
    expect(scores[300]).toBeCloseTo(z / (z + 6), 12);
  });

  it('still scores an outlier high when a quarter of the values are outliers', () => {
    const values = Array.from({ length: 400 }, (_, row) => (row % 4 === 3 ? 1000 : (row * 37) % 101));
    expect(run([...values, 1000]).scores[400]).toBeGreaterThan(0.5);
  });

  it('forgets values older than 1,440 rows', () => {
    const values = Array.from({ length: 1500 + 1440 }, (_, row) => (row < 1500 ? 5000 : 0) + ((row * 37) % 101));
    const { scores } = run([...values, 50]);
    expect(scores[1500]).toBeGreaterThan(0.5);
    expect(scores[values.length]).toBeLessThan(0.05);
  });
});
