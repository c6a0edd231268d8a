import { isInForce, isInForceDuring } from './exclusion-schedule.js';
import { type Weekday } from './exclusion.types.js';

const at = (text: string): number => Date.parse(text) / 1000;
const ALWAYS = { fromTimestamp: null, untilTimestamp: null, recurrence: null };
const weekly = (days: Weekday[], start: string, durationSeconds: number) => ({
  ...ALWAYS,
  recurrence: { days, start, durationSeconds },
});

describe('isInForce', () => {
  it('returns true without times', () => {
    expect(isInForce(ALWAYS, at('2025-10-09T10:00:00Z'), 'UTC')).toBe(true);
  });

  it.each([
    [99.9, false],
    [100, true],
    [199.9, true],
    [200, false],
  ])('for 100 to 200 at %d returns %s', (now, expected) => {
    expect(isInForce({ ...ALWAYS, fromTimestamp: 100, untilTimestamp: 200 }, now, 'UTC')).toBe(expected);
  });

  // 2025-10-06 is a Monday. Oslo is two hours ahead of UTC in summer, and one in winter.
  it.each([
    ['2025-10-06T19:59:59Z', false],
    ['2025-10-06T20:00:00Z', true],
    ['2025-10-06T22:30:00Z', true],
    ['2025-10-06T23:59:59Z', true],
    ['2025-10-07T00:00:00Z', false],
    ['2025-10-07T20:00:00Z', false],
    ['2025-12-01T20:30:00Z', false],
    ['2025-12-01T21:00:00Z', true],
  ])('for Mondays at 22:00 in Oslo for four hours, at %s returns %s', (moment, expected) => {
    expect(isInForce(weekly(['mon'], '22:00', 4 * 3600), at(moment), 'Europe/Oslo')).toBe(expected);
  });

  it('continues past midnight from Sunday to Monday for a duration of one day', () => {
    const sunday = weekly(['sun'], '12:00', 86_400);
    expect(isInForce(sunday, at('2025-10-05T12:00:00Z'), 'UTC')).toBe(true);
    expect(isInForce(sunday, at('2025-10-06T11:59:59Z'), 'UTC')).toBe(true);
    expect(isInForce(sunday, at('2025-10-06T12:00:00Z'), 'UTC')).toBe(false);
  });

  it('requires both the time span and the weekly window', () => {
    const both = { ...weekly(['mon'], '00:00', 86_400), untilTimestamp: at('2025-10-07T00:00:00Z') };
    expect(isInForce(both, at('2025-10-06T10:00:00Z'), 'UTC')).toBe(true);
    expect(isInForce(both, at('2025-10-13T10:00:00Z'), 'UTC')).toBe(false);
  });
});

describe('isInForceDuring', () => {
  const during = (times: Parameters<typeof isInForceDuring>[0], from: string, until: string): boolean =>
    isInForceDuring(times, { from: at(from), until: at(until) }, 'UTC');
  // 2025-10-06 is a Monday.
  const monday = weekly(['mon'], '22:00', 4 * 3600);

  it.each([
    ['2025-10-06T20:00:00Z', '2025-10-06T21:59:59Z', false],
    ['2025-10-06T20:00:00Z', '2025-10-06T22:00:00Z', true],
    ['2025-10-07T01:00:00Z', '2025-10-07T05:00:00Z', true],
    ['2025-10-07T02:00:00Z', '2025-10-07T05:00:00Z', false],
    ['2025-10-07T02:00:00Z', '2025-10-13T23:00:00Z', true],
    ['2025-10-07T02:00:00Z', '2026-10-07T05:00:00Z', true],
  ])('for Mondays from 22:00 to 02:00, from %s to %s returns %s', (from, until, expected) => {
    expect(during(monday, from, until)).toBe(expected);
  });

  it('requires the weekly window to be within the time span', () => {
    const ended = { ...monday, untilTimestamp: at('2025-10-06T22:00:00Z') };
    expect(during(ended, '2025-10-06T20:00:00Z', '2025-10-06T23:00:00Z')).toBe(false);
    const begun = { ...monday, fromTimestamp: at('2025-10-07T02:00:00Z') };
    expect(during(begun, '2025-10-06T20:00:00Z', '2025-10-07T03:00:00Z')).toBe(false);
  });

  it('overlaps a time span at one of its ends', () => {
    const span = { ...ALWAYS, fromTimestamp: 100, untilTimestamp: 200 };
    const overlaps = (from: number, until: number): boolean => isInForceDuring(span, { from, until }, 'UTC');
    expect([overlaps(50, 99), overlaps(50, 100), overlaps(199, 300), overlaps(200, 300)]).toEqual([
      false,
      true,
      true,
      false,
    ]);
  });
});
