import { HandClock } from '../../../../../test/support/hand-clock.js';
import { MiscService } from './misc.service.js';

/** July: northern summer time. */
const JULY = 1_720_000_000;
const JANUARY = 1_704_067_200;

describe('MiscService', () => {
  it('lists telephone codes by country, one row for each code', () => {
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
    [JULY, 'America/St_Johns', -9000, 'America/St_Johns (UTC-02:30)'],
  ])('lists zones with their offset at the time: %d %s', (now, name, offset, label) => {
    const { timezones } = new MiscService(new HandClock(now)).timezones();
    const alias = name === 'Asia/Kathmandu' ? /^Asia\/Kat(h)?mandu$/ : new RegExp(`^${name}$`);
    expect(timezones.find((zone) => alias.test(zone.name))).toMatchObject({
      offset_seconds: offset,
      label: expect.stringContaining(label.slice(label.indexOf('('))) as string,
    });
  });

  it('lists zones in alphabetical order, each once', () => {
    const names = new MiscService(new HandClock(JULY)).timezones().timezones.map((zone) => zone.name);
    expect(names).toEqual([...new Set(names)].sort());
    expect(names.length).toBeGreaterThan(300);
  });

  it('says how long ago a time was, also of times to come', () => {
    const misc = new MiscService(new HandClock(JULY, 0.75));
    expect(misc.timeSince(JULY - 300)).toEqual({ timestamp: JULY - 300, seconds: 300, string: '5 minutes ago' });
    expect(misc.timeSince(JULY + 7200)).toEqual({ timestamp: JULY + 7200, seconds: -7200, string: 'in 2 hours' });
  });
});
