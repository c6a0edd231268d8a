import { isTimezone, timezoneNames } from './index.js';

describe('the names of time zones', () => {
  it.each([
    'Europe/Oslo',
    'UTC',
    'Etc/UTC',
    'Asia/Kolkata',
    'Asia/Calcutta',
    'Europe/Kyiv',
    'Europe/Kiev',
    'Asia/Ho_Chi_Minh',
    'America/Argentina/Buenos_Aires',
    'US/Pacific',
    'Etc/GMT+5',
  ])('include %s', (name) => {
    expect(isTimezone(name)).toBe(true);
    expect(timezoneNames().has(name)).toBe(true);
  });

  it.each(['', 'Mars/Olympus', 'europe/oslo', 'Europe/Oslo ', '+05:00', 'Factory', 'local', 'x'.repeat(100_000)])(
    'do not include %.20s',
    (name) => {
      expect(isTimezone(name)).toBe(false);
    },
  );

  it('are sorted and can all be used', () => {
    const names = [...timezoneNames()];
    expect(names).toEqual([...names].sort());
    expect(names.length).toBeGreaterThan(550);
    expect(names.filter((timeZone) => new Date(0).toLocaleString('en', { timeZone }) === '')).toEqual([]);
  });

  it('include all names that the runtime lists', () => {
    expect(Intl.supportedValuesOf('timeZone').filter((name) => !isTimezone(name))).toEqual([]);
  });
});
