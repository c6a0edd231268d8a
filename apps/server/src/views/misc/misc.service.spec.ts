import { HandClock } from '../../../../../test/support/hand-clock.js';
import { MiscService } from './misc.service.js';

/** July, with daylight saving time in the north. */
const JULY = 1_720_000_000;
const JANUARY = 1_704_067_200;

describe('MiscService', () => {
  it('lists phone codes sorted by country, one row per code', () => {
    const rows = new MiscService(new HandClock(JULY)).phoneCodes().phone_codes;
    expect(rows).toContainEqual({ country: 'Norway', iso: 'NO', code: '+47' });
    expect(rows.filter((row) => row.iso === 'DO').map((row) => row.code)).toEqual(['+1809', '+1829', '+1849']);
    expect(rows.map((row) => row.country)).toEqual(
      rows.map((row) => row.country).sort((a, b) => a.localeCompare(b, 'en')),
    );
    expect(rows.every((row) => /^[A-Z]{2}$/.test(row.iso) && /^\+\d{1,6}$/.test(row.code))).toBe(true);
  });

  it.each([
    [JULY, 'Europe/Oslo', 7200, 'Europe/Oslo (UTC+02:00)'],
    [JANUARY, 'Europe/Oslo', 3600, 'Europe/Oslo (UTC+01:00)'],
    [JULY, 'UTC', 0, 'UTC (UTC+00:00)'],
    [JULY, 'Asia/Kathmandu', 20_700, 'Asia/Kathmandu (UTC+05:45)'],
    // The runtime lists these zones by their former names.
    [JULY, 'Asia/Kolkata', 19_800, 'Asia/Kolkata (UTC+05:30)'],
    [JULY, 'Europe/Kyiv', 10_800, 'Europe/Kyiv (UTC+03:00)'],
    [JULY, 'America/St_Johns', -9000, 'America/St_Johns (UTC-02:30)'],
  ])('lists zones with their offset at the time: %d %s', (now, name, offset, label) => {
    const { timezones } = new MiscService(new HandClock(now)).timezones();
    expect(timezones.find((zone) => zone.name === name)).toEqual({ name, offset_seconds: offset, label });
  });

  it('lists each zone once, in alphabetical order', () => {
    const names = new MiscService(new HandClock(JULY)).timezones().timezones.map((zone) => zone.name);
    expect(names).toEqual([...new Set(names)].sort());
    expect(names.length).toBeGreaterThan(300);
  });

  it('returns the time since a past and until a future timestamp', () => {
    const misc = new MiscService(new HandClock(JULY, 0.75));
    expect(misc.timeSince(JULY - 300)).toEqual({ timestamp: JULY - 300, seconds: 300, string: '5 minutes ago' });
    expect(misc.timeSince(JULY + 7200)).toEqual({ timestamp: JULY + 7200, seconds: -7200, string: 'in 2 hours' });
  });
});
