import fc from 'fast-check';
import { RunningQuantiles } from './running-quantiles.js';

describe('RunningQuantiles', () => {
  it('returns quantiles of the added values, interpolated linearly', () => {
    const quantiles = new RunningQuantiles(Float64Array.of(7, 1, NaN, 3, 100));
    expect(quantiles.quantile(0.5)).toBeNaN();
    quantiles.add(0);
    expect(quantiles.quantile(0.5)).toBe(7);
    for (const at of [1, 2, 3]) quantiles.add(at);
    expect(quantiles.count).toBe(3);
    // Of 1, 3, 7: the quantile 0.25 is half way from the first to the second.
    expect([0, 0.25, 0.5, 0.75, 1].map((share) => quantiles.quantile(share))).toEqual([1, 2, 3, 5, 7]);
    quantiles.add(4);
    // numpy.quantile([1, 3, 7, 100], [0.01, 0.99]): 1 + 0.03 * 2 and 7 + 0.97 * 93.
    expect(quantiles.quantile(0.01)).toBeCloseTo(1.06, 12);
    expect(quantiles.quantile(0.99)).toBeCloseTo(97.21, 12);
  });

  it('agrees with sorting the added values', () => {
    const number = fc.oneof(fc.constantFrom(0, -0, 1, NaN), fc.double({ min: -1e6, max: 1e6, noNaN: true }));
    fc.assert(
      fc.property(
        fc.array(number, { minLength: 1, maxLength: 60 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (all, p) => {
          const quantiles = new RunningQuantiles(Float64Array.from(all));
          all.forEach((_, at) => {
            quantiles.add(at);
            const rising = Float64Array.from(all.slice(0, at + 1).filter((x) => !Number.isNaN(x))).sort();
            if (rising.length === 0) return;
            const place = p * (rising.length - 1);
            const [low, high] = [rising[Math.floor(place)]!, rising[Math.ceil(place)]!];
            expect(quantiles.quantile(p)).toBeCloseTo(low + (place - Math.floor(place)) * (high - low), 6);
          });
        },
      ),
      { seed: 78, numRuns: 200 },
    );
  });
});
