import { LocalClock } from './local-clock.js';

const at = (iso: string): number => Date.parse(iso) / 1000;

describe('LocalClock', () => {
  it.each([
    ['UTC', '2026-03-29T01:30:00Z', 0],
    ['Europe/Berlin', '2026-03-29T00:59:00Z', 3600],
    ['Europe/Berlin', '2026-03-29T01:00:00Z', 7200],
    ['Europe/Berlin', '2026-10-25T00:59:00Z', 7200],
    ['Europe/Berlin', '2026-10-25T01:00:00Z', 3600],
    ['Asia/Kolkata', '2026-01-01T00:00:00Z', 19_800],
    ['Australia/Lord_Howe', '2026-04-04T14:59:00Z', 39_600],
    ['Australia/Lord_Howe', '2026-04-04T15:00:00Z', 37_800],
  ])('in %s at %s is %i seconds ahead', (zone, iso, offset) => {
    expect(new LocalClock(zone).wallSeconds(at(iso)) - at(iso)).toBe(offset);
  });

  it('converts a wall clock time to a timestamp, also on days with a clock change', () => {
    const clock = new LocalClock('Europe/Berlin');
    for (const iso of ['2026-03-29T01:30:00Z', '2026-10-25T02:30:00Z', '2026-07-01T01:30:00Z']) {
      const day = clock.dayAt(at(iso));
      expect(clock.timestampOf(day, 3.5 * 3600)).toBe(at(iso));
    }
  });
});
