import fc from 'fast-check';
import { meanRates, ratesOf } from './rates.js';

const rates = (values: number[], isCounter: boolean, step = 10): (number | null)[] =>
  [...ratesOf({ timestamps: values.map((_, i) => i * step), values }, isCounter)].map((rate) =>
    Number.isNaN(rate) ? null : rate,
  );

describe('ratesOf', () => {
  it('returns the increase per second', () => {
    expect(rates([0, 10, 30, 30], true)).toEqual([null, 1, 2, 0]);
  });

  it('counts from 0 after a counter reset', () => {
    expect(rates([100, 120, 5, 15], true)).toEqual([null, 2, 0.5, 1]);
  });

  it('returns 0 when a gauge falls', () => {
    expect(rates([100, 120, 5, 15], false)).toEqual([null, 2, 0, 1]);
    expect(rates([0, -10, -5], false)).toEqual([null, 0, 0.5]);
  });

  it('divides an increase by its duration', () => {
    expect([...ratesOf({ timestamps: [0, 60, 360], values: [0, 60, 120] }, true)].slice(1)).toEqual([1, 0.2]);
  });

  it('returns nothing without points', () => {
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

describe('meanRates', () => {
  const means = (timestamps: number[], values: number[], step: number): [number, number][] => {
    const found = meanRates({ timestamps }, ratesOf({ timestamps, values }, true), step);
    return found.timestamps.map((timestamp, i) => [timestamp, found.values[i]!]);
  };

  it('returns the increase over its duration, even for an interval that has only begun', () => {
    expect(means([240, 300, 360, 420, 480, 540, 600], [0, 60, 120, 240, 240, 300, 360], 300)).toEqual([
      [300, 1],
      [600, 1],
    ]);
  });

  it('counts resets within an interval', () => {
    expect(means([0, 60, 120, 180], [600, 660, 30, 90], 240)).toEqual([[0, (60 + 30 + 60) / 180]]);
  });

  it('omits intervals without a rate', () => {
    expect(means([0, 60, 900], [0, 60, 900], 60)).toEqual([
      [60, 1],
      [900, 1],
    ]);
    expect(means([0], [5], 60)).toEqual([]);
    expect(means([], [], 60)).toEqual([]);
  });
});
