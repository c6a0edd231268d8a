import fc from 'fast-check';
import { ratesOf } from './rates.js';

const rates = (values: number[], isCounter: boolean, step = 10): (number | null)[] =>
  [...ratesOf({ timestamps: values.map((_, i) => i * step), values }, isCounter)].map((rate) =>
    Number.isNaN(rate) ? null : rate,
  );

describe('ratesOf', () => {
  it('is the increase per second', () => {
    expect(rates([0, 10, 30, 30], true)).toEqual([null, 1, 2, 0]);
  });

  it('counts from 0 after a reset of a counter', () => {
    expect(rates([100, 120, 5, 15], true)).toEqual([null, 2, 0.5, 1]);
  });

  it('is 0 where another series falls', () => {
    expect(rates([100, 120, 5, 15], false)).toEqual([null, 2, 0, 1]);
    expect(rates([0, -10, -5], false)).toEqual([null, 0, 0.5]);
  });

  it('spreads an increase over the time it took', () => {
    expect([...ratesOf({ timestamps: [0, 60, 360], values: [0, 60, 120] }, true)].slice(1)).toEqual([1, 0.2]);
  });

  it('has nothing to say of no points', () => {
    expect(rates([], true)).toEqual([]);
  });

  it('is never negative', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ noNaN: true, noDefaultInfinity: true })), fc.boolean(), (values, isCounter) => {
        expect(rates(values, isCounter).every((rate) => rate === null || rate >= 0)).toBe(true);
      }),
      { seed: 5 },
    );
  });
});
