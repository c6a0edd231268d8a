import fc from 'fast-check';
import { halvesOf, isExact, isWild, roundedSample, valueOf } from './exact-values.js';

describe('values in VictoriaMetrics', () => {
  it('are restored bit by bit from their halves', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true }), (value) => {
        const { high, low } = halvesOf(value);
        expect(valueOf(high, low)).toBe(value);
      }),
      { numRuns: 1000, seed: 20_260_101 },
    );
  });

  it.each([0, 1, -1, 20.5, 0.000_001, 99_999.123_456, 8_999_999_999, -12_345_678.125])(
    'such as %d need no halves',
    (value) => {
      expect(isExact(value)).toBe(true);
      expect(isWild(value)).toBe(false);
    },
  );

  it.each([-0, 1 / 3, 0.1 + 0.2, 123_456.123_456, 9e9, 5e11])(
    'such as %d are rounded slightly and do not affect others',
    (value) => {
      expect(isExact(value)).toBe(false);
      expect(isWild(value)).toBe(false);
      expect(Math.abs(roundedSample(value) - value)).toBeLessThan(Math.max(1e-6, Math.abs(value) * 1e-6));
    },
  );

  it.each([1e12, -1e300, 1e-7, 5e-324, 0.000_5 / 3])('such as %d need a separate block', (value) => {
    expect(isWild(value)).toBe(true);
  });

  it('that need no halves are whole multiples of a millionth', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        if (isExact(value)) expect(Math.round(value * 1e6) / 1e6).toBe(value);
      }),
      { numRuns: 1000, seed: 20_260_102 },
    );
  });
});
