import fc from 'fast-check';
import { type Counts } from './counts.js';
import { ExplicitCounts } from './explicit-counts.js';
import { type BucketColumns, ExponentialCounts } from './exponential-counts.js';

function explicit(bounds: number[], counts: number[]): ExplicitCounts {
  return new ExplicitCounts(bounds, counts);
}

/** Returns dense counts of exponential buckets. With `offset` -1 the first bucket of each sign ends at `2^0`. */
function exponential(
  scale: number,
  positive: number[],
  negative: number[] = [],
  [zeroCount, zeroThreshold]: [number, number] = [0, 0.001],
  offset = -1,
): ExponentialCounts {
  const columns = (counts: number[]): BucketColumns => ({ indices: counts.map((_, index) => index + offset), counts });
  return new ExponentialCounts(scale, zeroThreshold, zeroCount, columns(positive), columns(negative));
}

describe('quantiles of explicit buckets', () => {
  // Values of PromQL's histogram_quantile: prometheus `promql/promqltest/testdata/histograms.test`.
  const positive = explicit([0.1, 0.2, 1], [5, 2, 4, 1]);
  const negative = explicit([-0.2, -0.1, 0.3], [1, 1, 0, 1]);
  const middle = explicit([0, 2, 4, 6], [0, 1, 1, 1, 0]);
  const belowZero = explicit([-0.25, -0.2, -0.1, 0.3], [0, 1, 1, 0, 0]);

  it.each([
    [positive, 0, 0],
    [positive, 0.2, 0.048],
    [positive, 0.5, 0.15],
    [positive, 0.8, 0.72],
    [positive, 1, 1],
    [negative, 0, -0.2],
    [negative, 0.2, -0.2],
    [negative, 0.5, -0.15],
    [negative, 0.8, 0.3],
    [middle, 1 / 6, 1],
    [middle, 0.5, 3],
    [middle, 5 / 6, 5],
    [belowZero, 0, -0.25],
    [belowZero, 0.25, -0.225],
    [belowZero, 0.5, -0.2],
    [belowZero, 1, -0.1],
  ])('%# equal those of PromQL', (counts, quantile, expected) => {
    expect(counts.quantiles([quantile])[0]).toBeCloseTo(expected, 12);
  });

  it('are NaN without observations or bounds', () => {
    expect(explicit([1, 2], [0, 0, 0]).quantiles([0.5])).toEqual([NaN]);
    expect(explicit([], [3]).quantiles([0.5])).toEqual([NaN]);
  });
});

describe('quantiles of exponential buckets', () => {
  // Values of PromQL 3: prometheus `promql/promqltest/testdata/native_histograms.test`.
  const single = exponential(0, [1, 2, 1]);
  const mirrored = exponential(0, [], [1, 2, 1]);
  const withZero = exponential(0, [2, 3, 0, 1, 4], [], [2, 0.001]);
  const negativeWithZero = exponential(0, [], [2, 3, 0, 1, 4], [2, 0.001]);

  it.each<[ExponentialCounts, number, number]>([
    [single, 0.5, 1.414213562373095],
    [mirrored, 0.5, -1.414213562373095],
    [exponential(0, [], [], [1, 0.5]), 0.5, 0],
    [withZero, 1, 16],
    [withZero, 0.99, 15.67072476139083],
    [withZero, 0.9, 12.99603834169977],
    [withZero, 0.6, 4.594793419988138],
    [withZero, 0.5, 1.5874010519681994],
    [withZero, 0.1, 0.0006],
    [withZero, 0, 0],
    [negativeWithZero, 1, 0],
    [negativeWithZero, 0.99, -0.00006],
    [negativeWithZero, 0.9, -0.0006],
    [negativeWithZero, 0.5, -1.5874010519681996],
    [negativeWithZero, 0.1, -12.996038341699768],
  ])('%# equal those of PromQL', (counts, quantile, expected) => {
    expect(counts.quantiles([quantile])[0]).toBeCloseTo(expected, 12);
  });

  it('are NaN without observations', () => {
    expect(exponential(3, []).quantiles([0.1, 0.9])).toEqual([NaN, NaN]);
  });

  it('stay within the error bound of the scale', () => {
    const values = Array.from({ length: 1000 }, (_, i) => Math.exp(Math.sin(i) * 5));
    const scale = 5;
    const byIndex = new Map<number, number>();
    for (const value of values) {
      const index = Math.ceil(Math.log2(value) * 2 ** scale) - 1;
      byIndex.set(index, (byIndex.get(index) ?? 0) + 1);
    }
    const sorted = [...byIndex].sort(([a], [b]) => a - b);
    const columns = {
      indices: sorted.map(([index]) => index),
      counts: sorted.map(([, count]) => count),
    };
    const none = { indices: [], counts: [] };
    const counts = new ExponentialCounts(scale, 0, 0, columns, none);
    values.sort((a, b) => a - b);
    for (const quantile of [0.01, 0.25, 0.5, 0.75, 0.99]) {
      const exact = values[quantile * values.length - 1]!;
      expect(Math.abs(Math.log2(counts.quantiles([quantile])[0]! / exact))).toBeLessThanOrEqual(2 ** -scale);
    }
  });
});

describe('differences of counts', () => {
  it('require the same explicit bounds', () => {
    expect(explicit([1, 2], [5, 6, 7]).minus(explicit([1, 2], [1, 1, 1]))).toEqual(explicit([1, 2], [4, 5, 6]));
    expect(explicit([1, 2], [5, 6, 7]).minus(explicit([1, 3], [1, 1, 1]))).toBeNull();
    expect(explicit([1, 2], [5, 6, 7]).minus(exponential(0, [1]))).toBeNull();
    expect(exponential(0, [1]).plus(explicit([1], [1, 1]))).toBeNull();
  });

  it('use the coarser exponential scale', () => {
    // At scale 0: above 1 up to 2, above 2 up to 4. At scale -1 both are above 1 up to 4.
    const fine = exponential(0, [3, 4], [], [0, 0], 0);
    const coarse = exponential(-1, [5], [], [0, 0], 0);
    expect(fine.minus(coarse)).toEqual(exponential(-1, [2], [], [0, 0], 0));
    expect(coarse.minus(fine)).toEqual(exponential(-1, [-2], [], [0, 0], 0));
    expect([coarse.minus(fine)!.hasFallen(), fine.minus(coarse)!.hasFallen()]).toEqual([true, false]);
  });

  it('count observations within the wider zero bucket as zero', () => {
    const narrow = exponential(0, [3, 4], [2], [1, 0.001]);
    const wide = exponential(0, [4], [], [9, 1], 0);
    expect(wide.minus(narrow)).toEqual(exponential(0, [0], [], [9 - 1 - 3 - 2, 1], 0));
  });

  it('keep all observations when merged far beyond the index range', () => {
    const merged = exponential(8, [1, 2, 3], [4], [0, 0], -2).coarser(40);
    expect([...merged.positive.counts]).toEqual([3, 3]);
    expect([...merged.positive.indices]).toEqual([-1, 0]);
    expect(merged.quantiles([0.5]).length).toBe(1);
  });
});

describe('any histogram', () => {
  const count = fc.nat(1000);
  const explicitCounts = fc
    .uniqueArray(fc.integer({ min: -50, max: 50 }), { minLength: 1, maxLength: 8 })
    .chain((bounds) =>
      fc.array(count, { minLength: bounds.length + 1, maxLength: bounds.length + 1 }).map((counts) =>
        explicit(
          [...bounds].sort((a, b) => a - b),
          counts,
        ),
      ),
    );
  const exponentialCounts = fc
    .tuple(fc.integer({ min: -3, max: 6 }), fc.array(count, { maxLength: 9 }), fc.array(count, { maxLength: 5 }), count)
    .map(([scale, positive, negative, zero]) => exponential(scale, positive, negative, [zero, 0]));

  it('has quantiles that never decrease', () => {
    fc.assert(
      fc.property(fc.oneof<fc.Arbitrary<Counts>[]>(explicitCounts, exponentialCounts), (counts) => {
        const values = counts.quantiles([0, 0.1, 0.25, 0.5, 0.5, 0.75, 0.9, 1]);
        for (let i = 1; i < values.length; i++) if (values[i]! < values[i - 1]! - 1e-9) return false;
        return true;
      }),
      { seed: 61, numRuns: 500 },
    );
  });

  it('is unchanged after subtraction and addition', () => {
    fc.assert(
      fc.property(exponentialCounts, exponentialCounts, (a, b) => {
        const back = b.minus(a)?.plus(a)?.minus(b) as ExponentialCounts;
        const all = [back.zeroCount, ...back.positive.counts, ...back.negative.counts];
        return all.every((left) => left === 0);
      }),
      { seed: 62, numRuns: 300 },
    );
  });
});
