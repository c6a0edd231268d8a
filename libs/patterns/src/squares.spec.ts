import fc from 'fast-check';
import { squaresIn, squaresOf, stretchedTo } from './squares.js';

const value = fc.oneof(fc.float({ min: -100, max: 100, noNaN: true }), fc.constant(Number.NaN));
const values = (minLength: number, maxLength: number) =>
  fc.array(value, { minLength, maxLength }).map((all) => Float32Array.from(all));

describe('squaresIn', () => {
  it('returns the same squares as a new computation, whatever bounds were used before', () => {
    const asked = fc.array(
      fc.record({
        place: fc.integer({ min: -3, max: 30 }),
        slots: fc.integer({ min: 1, max: 8 }),
        bound: fc.oneof(fc.double({ min: 0, max: 50_000, noNaN: true }), fc.constant(Number.POSITIVE_INFINITY)),
      }),
      { minLength: 1, maxLength: 40 },
    );
    fc.assert(
      fc.property(values(1, 30), values(4, 12), asked, (series, residuals, questions) => {
        const partSlots = residuals.length - 3;
        const fine = { start: 0, step: 60, values: series };
        for (const { place, slots, bound } of questions) {
          const stretched = stretchedTo(residuals, partSlots, slots);
          const theirs = series.subarray(Math.max(0, place), Math.max(0, place) + stretched.length);
          const fresh = squaresOf(theirs, stretched, 1.5, bound);
          const kept = squaresIn(fine, residuals, partSlots).ofLength(slots);
          const whole = squaresOf(theirs, stretched, 1.5, Number.POSITIVE_INFINITY);
          if (theirs.length === stretched.length) expect(kept.least(place)).toBeLessThanOrEqual(whole.sum);
          const known = kept.at(place, theirs, 1.5, bound);
          expect(known.sum > bound).toBe(fresh.sum > bound);
          if (fresh.sum <= bound) expect(known).toEqual(fresh);
        }
      }),
    );
  });

  it('discards cached squares when the shape or the series changes', () => {
    const fine = { start: 0, step: 60, values: Float32Array.of(1, 2, 3) };
    const first = squaresIn(fine, Float32Array.of(1, Number.NaN), 1);
    expect(squaresIn(fine, Float32Array.of(1, Number.NaN), 1)).toBe(first);
    expect(squaresIn(fine, Float32Array.of(1, 2), 1)).not.toBe(first);
    expect(squaresIn({ ...fine }, Float32Array.of(1, 2), 1)).not.toBe(first);
  });

  it('stretchedTo stretches the part and keeps the tail', () => {
    expect([...stretchedTo(Float32Array.of(1, 2, 9, 8), 2, 4)]).toEqual([1, 1, 2, 2, 9, 8]);
    expect([...stretchedTo(Float32Array.of(1, 2, 9, 8), 2, 1)]).toEqual([2, 9, 8]);
  });
});
