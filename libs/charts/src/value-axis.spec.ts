import fc from 'fast-check';
import { drawnValue, extentOf, valueAxis } from './value-axis.js';

describe('extentOf', () => {
  it('ignores values that are not finite', () => {
    expect(extentOf([NaN, 3, Infinity, -1], [7])).toEqual({ min: -1, max: 7 });
  });

  it('returns null without a finite value', () => expect(extentOf([], [NaN])).toBeNull());
});

describe('valueAxis', () => {
  it.each([
    ['starts at zero when the values come near it', { min: 20, max: 560 }, 4, [0, 200, 400, 600]],
    ['leaves zero out when the values are far from it', { min: 990, max: 1010 }, 5, [990, 995, 1000, 1005, 1010]],
    ['ends at zero for negative values that come near it', { min: -98, max: -3 }, 3, [-100, -50, 0]],
    ['puts a single value in the middle', { min: 42, max: 42 }, 3, [40, 45]],
    ['has room for a constant zero', { min: 0, max: 0 }, 3, [0, 0.5, 1]],
    ['keeps a label in low pictures', { min: 0, max: 560 }, 2, [0, 500]],
  ])('%s', (_, extent, maxTicks, ticks) => expect(valueAxis(extent, maxTicks).ticks).toEqual(ticks));

  it('contains the values, with finite ends and one label per tick', () => {
    const value = fc.double({ noNaN: true, noDefaultInfinity: true }).map(drawnValue);
    fc.assert(
      fc.property(value, value, fc.integer({ min: 2, max: 12 }), (a, b, maxTicks) => {
        const [min, max] = [Math.min(a, b), Math.max(a, b)];
        const axis = valueAxis({ min, max }, maxTicks);
        const tolerance = (axis.max - axis.min) * 1e-6;
        expect(axis.min).toBeLessThanOrEqual(min + tolerance);
        expect(axis.max).toBeGreaterThanOrEqual(max - tolerance);
        expect(Number.isFinite(axis.max - axis.min)).toBe(true);
        expect(axis.max).toBeGreaterThan(axis.min);
        expect(axis.ticks.length).toBeGreaterThan(0);
        expect(axis.ticks.length).toBeLessThanOrEqual(Math.max(14, maxTicks));
        expect(axis.labels).toHaveLength(axis.ticks.length);
      }),
      { seed: 7, numRuns: 500 },
    );
  });
});
