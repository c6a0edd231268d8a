import { isTimely, startWindow, timeOfDay } from './timing.js';

const HOUR = 3600;
const DAY = 86_400;
const MIDNIGHT = 1_759_968_000;

const allows = (starts: readonly number[], start: number, timezone = 'UTC'): boolean =>
  isTimely(start, startWindow(starts, timezone, 60), timezone);

describe('startWindow', () => {
  const two = MIDNIGHT + 2 * HOUR;

  it('allows 15 minutes around a single known start', () => {
    expect([-901, -900, 0, 900, 901].map((off) => allows([two], two + DAY + off))).toEqual([
      false,
      true,
      true,
      true,
      false,
    ]);
  });

  it('allows all times between the known starts, also across midnight', () => {
    const starts = [MIDNIGHT - HOUR, MIDNIGHT + DAY + HOUR];
    expect(allows(starts, MIDNIGHT + 3 * DAY)).toBe(true);
    expect(allows(starts, MIDNIGHT + 3 * DAY + 2 * HOUR)).toBe(false);
  });

  it('allows any time after three different starts', () => {
    const starts = [two, two + DAY + 9 * HOUR, two + 5 * DAY + 15 * HOUR];
    expect(allows(starts, MIDNIGHT)).toBe(true);
    expect(allows(starts.slice(0, 2), MIDNIGHT + 20 * HOUR)).toBe(false);
  });

  it('uses local time, also after a clock change', () => {
    const october = Date.UTC(2025, 9, 25, 0, 0) / 1000;
    const november = Date.UTC(2025, 10, 3, 1, 0) / 1000;
    expect(timeOfDay(october, 'Europe/Oslo')).toBe(2 * HOUR);
    expect(allows([october], november, 'Europe/Oslo')).toBe(true);
    expect(allows([october], november, 'UTC')).toBe(false);
  });
});
