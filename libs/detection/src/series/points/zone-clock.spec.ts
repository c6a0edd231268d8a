import { ZoneClock } from './zone-clock.js';

const at = (iso: string): number => Date.parse(iso) / 1000;

describe('ZoneClock', () => {
  it.each([
    ['UTC', '2025-07-01T12:00:00Z', 0],
    ['Europe/Berlin', '2025-03-30T00:59:59Z', 3600],
    ['Europe/Berlin', '2025-03-30T01:00:00Z', 7200],
    ['Europe/Berlin', '2025-10-26T00:59:59Z', 7200],
    ['Europe/Berlin', '2025-10-26T01:00:00Z', 3600],
    ['America/New_York', '2025-01-15T00:30:00Z', -18_000],
    ['Asia/Kathmandu', '2025-01-15T00:30:00Z', 20_700],
    ['Not/AZone', '2025-01-15T00:30:00Z', 0],
  ])('in %s at %s is %d seconds from UTC', (zone, iso, offset) => {
    expect(new ZoneClock(zone).localSeconds(at(iso))).toBe(at(iso) + offset);
  });

  it('returns the same offsets from its cache', () => {
    const clock = new ZoneClock('Europe/Berlin');
    const times = [at('2025-07-01T12:00:00Z'), at('2025-12-01T12:00:00Z'), at('2025-07-01T12:30:00Z')];
    expect(times.map((time) => clock.localSeconds(time) - time)).toEqual([7200, 3600, 7200]);
  });

  it.each([
    ['Europe/Berlin', '2025-03-29T00:00:00Z'],
    ['Australia/Lord_Howe', '2025-04-05T00:00:00Z'],
    ['Pacific/Apia', '2011-12-30T00:00:00Z'],
  ])('in %s changes once in the four days around %s, also from its cache', (zone, from) => {
    const clock = new ZoneClock(zone);
    const hours = Array.from({ length: 96 }, (_, hour) => at(from) - 86_400 + hour * 3600);
    const alone = hours.map((time) => new ZoneClock(zone).localSeconds(time) - time);
    expect(hours.map((time) => clock.localSeconds(time) - time)).toEqual(alone);
    expect(alone.filter((offset, hour) => hour > 0 && offset !== alone[hour - 1])).toHaveLength(1);
  });
});
