import { analysedValue } from './analysed-value.js';
import { createRecord } from '../reset-record.js';

describe('analysedValue', () => {
  it('returns the value of a gauge', () => {
    expect(analysedValue(createRecord(), 'gauge', 60, -3, 60, 60)).toBe(-3);
  });

  it('returns the increase of a counter per second, also after a reset and over a gap', () => {
    const record = createRecord();
    const rate = (slot: number, raw: number): number => analysedValue(record, 'counter', slot, raw, 60, 60);
    expect(rate(0, 100)).toBeNaN();
    expect(rate(60, 160)).toBe(1);
    expect(rate(120, 30)).toBe(0.5);
    expect(rate(300, 210)).toBe(1);
    expect(rate(360, -60)).toBe(0);
  });

  it('divides a delta by its interval, which is at least a slot', () => {
    const record = createRecord();
    expect(analysedValue(record, 'rate', 0, 120, 60, NaN)).toBe(2);
    expect(analysedValue(record, 'rate', 60, 120, 60, 10)).toBe(2);
    expect(analysedValue(record, 'rate', 120, 600, 60, 300)).toBe(2);
    expect(analysedValue(record, 'rate', 120, 600, 0, NaN)).toBeNaN();
  });

  it('returns NaN when the result would be infinite', () => {
    const record = createRecord();
    expect(analysedValue(record, 'rate', 0, 1e308, 0, 0.001)).toBeNaN();
    analysedValue(record, 'counter', 0, 0, 0, NaN);
    expect(analysedValue(record, 'counter', 0.001, 1e308, 0, NaN)).toBeNaN();
  });
});
