import fc from 'fast-check';
import { DateTime } from 'luxon';
import { nextSummary, parseFrequency } from './summary-time.js';

const at = (text: string, zone: string): number => Math.floor(DateTime.fromISO(text, { zone }).toSeconds());

describe('parseFrequency', () => {
  it.each([
    ['daily-10:00', { weekday: null, day: null, hour: 10, minute: 0 }],
    ['weekly-monday', { weekday: 1, day: null, hour: 8, minute: 0 }],
    ['weekly-sunday-23:59', { weekday: 7, day: null, hour: 23, minute: 59 }],
    ['monthly-28', { weekday: null, day: 28, hour: 8, minute: 0 }],
    ['monthly-1-06:30', { weekday: null, day: 1, hour: 6, minute: 30 }],
  ])('parses %s', (text, expected) => {
    expect(parseFrequency(text)).toEqual(expected);
  });

  it.each([
    '',
    'daily',
    'daily-24:00',
    'daily-9:00',
    'weekly',
    'weekly-mon',
    'monthly-29',
    'monthly-0',
    'monthly-1-08:60',
    'hourly-1',
  ])('returns undefined for %s', (text) => {
    expect(parseFrequency(text)).toBeUndefined();
  });
});

describe('nextSummary', () => {
  const oslo = 'Europe/Oslo';
  const daily = parseFrequency('daily-10:00')!;

  it('keeps the local hour across a change of daylight saving time', () => {
    expect(nextSummary(daily, at('2025-10-25T10:00', oslo), oslo)).toBe(at('2025-10-26T10:00', oslo));
    expect(nextSummary(daily, at('2026-03-28T10:00', oslo), oslo)).toBe(at('2026-03-29T10:00', oslo));
  });

  it('returns one time per day where a local hour is skipped or repeated', () => {
    const night = parseFrequency('daily-02:30')!;
    const spring = nextSummary(night, at('2026-03-28T12:00', oslo), oslo);
    expect(DateTime.fromSeconds(spring, { zone: oslo }).toFormat('dd HH:mm')).toBe('29 03:30');
    expect(nextSummary(night, spring, oslo)).toBe(at('2026-03-30T02:30', oslo));
    const autumn = nextSummary(night, at('2025-10-25T12:00', oslo), oslo);
    expect(DateTime.fromSeconds(nextSummary(night, autumn, oslo), { zone: oslo }).toFormat('dd HH:mm')).toBe(
      '27 02:30',
    );
  });

  it('returns the given day of the week or month', () => {
    const after = at('2025-10-09T12:00', oslo);
    expect(nextSummary(parseFrequency('weekly-thursday-11:00')!, after, oslo)).toBe(at('2025-10-16T11:00', oslo));
    expect(nextSummary(parseFrequency('weekly-thursday-13:00')!, after, oslo)).toBe(at('2025-10-09T13:00', oslo));
    expect(nextSummary(parseFrequency('monthly-9')!, after, oslo)).toBe(at('2025-11-09T08:00', oslo));
    expect(nextSummary(parseFrequency('monthly-28')!, after, oslo)).toBe(at('2025-10-28T08:00', oslo));
  });

  it('returns a later time, at most one period ahead, in every zone', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1_600_000_000, max: 1_900_000_000 }),
        fc.constantFrom('UTC', oslo, 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe', 'Pacific/Apia'),
        fc.constantFrom('daily-02:30', 'daily-00:00', 'weekly-sunday-01:15', 'monthly-28-23:45'),
        (after, zone, text) => {
          const rhythm = parseFrequency(text)!;
          const next = nextSummary(rhythm, after, zone);
          expect(next).toBeGreaterThan(after);
          expect(next - after).toBeLessThanOrEqual(
            (text.startsWith('d') ? 1 : text.startsWith('w') ? 7 : 31) * 86_400 + 7200,
          );
        },
      ),
      { seed: 7, numRuns: 500 },
    );
  });
});
