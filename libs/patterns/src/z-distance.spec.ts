import fc from 'fast-check';
import { correlationOf, nearestWindow, zDistance } from './z-distance.js';

const values = (min: number, max: number) =>
  fc.array(fc.oneof(fc.double({ min: -1e3, max: 1e3, noNaN: true }), fc.constantFrom(0, 1, 5)), {
    minLength: min,
    maxLength: max,
  });

describe('nearestWindow and zDistance', () => {
  it('find the same window and distance as a plain search', () => {
    fc.assert(
      fc.property(values(2, 40), values(40, 160), (query, series) => {
        const plain = Array.from({ length: series.length - query.length + 1 }, (_, index) =>
          zDistance(query, series.slice(index, index + query.length)),
        );
        const nearest = nearestWindow(query, series)!;
        expect(nearest.distance).toBeCloseTo(Math.min(...plain), 6);
        expect(nearest.distance).toBe(zDistance(query, series.slice(nearest.index, nearest.index + query.length)));
      }),
      { numRuns: 300 },
    );
  });

  it('find a window at any position', () => {
    fc.assert(
      fc.property(values(60, 60), fc.integer({ min: 0, max: 40 }), (series, index) => {
        const query = series.slice(index, index + 20);
        expect(nearestWindow(query, series)!.distance).toBeLessThan(1e-6);
      }),
    );
  });

  it('do not depend on scale and offset, and a correlation does not depend on length', () => {
    fc.assert(
      fc.property(
        values(10, 60),
        fc.double({ min: 0.01, max: 100, noNaN: true }),
        fc.integer({ min: -100, max: 100 }),
        (series, scale, offset) => {
          const other = series.map((value, i) => value + (i % 7) * 10);
          const changed = other.map((value) => value * scale + offset);
          expect(zDistance(series, changed)).toBeCloseTo(zDistance(series, other), 4);
          const twice = correlationOf(zDistance([...series, ...series], [...other, ...other]), 2 * series.length);
          expect(twice).toBeCloseTo(correlationOf(zDistance(series, other), series.length), 6);
        },
      ),
    );
  });

  it('treat constant windows as equal, and no constant window as like a shape', () => {
    expect(zDistance([5, 5, 5, 5], [7, 7, 7, 7])).toBe(0);
    expect(zDistance([5, 5, 5, 5], [1, 2, 3, 4])).toBeCloseTo(2);
    expect(nearestWindow([1, 2], [1])).toBeNull();
    expect(nearestWindow([1, 5, 2], [9, 9, 9, 9], 1)).toBeNull();
  });
});
