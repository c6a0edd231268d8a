import { isTimely, startWindow, timeOfDay } from './timing.js';

const HOUR = 3600;
const DAY = 86_400;
const MIDNIGHT = 1_759_968_000;

const allows = (starts: readonly number[], start: number, timezone = 'UTC'): boolean =>
  isTimely(start, startWindow(starts, timezone, 60), timezone);

describe('when a shape may start', () => {
  const two = MIDNIGHT + 2 * HOUR;

  it('is a quarter of an hour around the one time that is known', () => {
    expect([-901, -900, 0, 900, 901].map((off) => allows([two], two + DAY + off))).toEqual([
      false,
      true,
      true,
      true,
      false,
    ]);
  });

  it('is all times between those that were seen, over midnight, too', () => {
    const starts = [MIDNIGHT - HOUR, MIDNIGHT + DAY + HOUR];
    expect(allows(starts, MIDNIGHT + 3 * DAY)).toBe(true);
    expect(allows(starts, MIDNIGHT + 3 * DAY + 2 * HOUR)).toBe(false);
  });

  it('is any time once it was seen at three unlike ones', () => {
    const starts = [two, two + DAY + 9 * HOUR, two + 5 * DAY + 15 * HOUR];
    expect(allows(starts, MIDNIGHT)).toBe(true);
    expect(allows(starts.slice(0, 2), MIDNIGHT + 20 * HOUR)).toBe(false);
  });

  it('is read from the clocks on the wall, also after they were changed', () => {
    const october = Date.UTC(2025, 9, 25, 0, 0) / 1000;
    const november = Date.UTC(2025, 10, 3, 1, 0) / 1000;
    expect(timeOfDay(october, 'Europe/Oslo')).toBe(2 * HOUR);
    expect(allows([october], november, 'Europe/Oslo')).toBe(true);
    expect(allows([october], november, 'UTC')).toBe(false);
  });
});
