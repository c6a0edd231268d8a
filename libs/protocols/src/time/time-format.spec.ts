import fc from 'fast-check';
import { DateTime } from 'luxon';
import { TimeFormat, TimeFormatError, type WallTime } from './time-format.js';

const read = (pattern: string, text: string): WallTime | null => new TimeFormat(pattern).read(text);

describe('TimeFormat', () => {
  it.each<[string, string, Partial<WallTime>]>([
    ['dd.MM.yyyy HH:mm', '31.01.2026 13:30', { year: 2026, month: 1, day: 31, seconds: 48_600, offset: null }],
    ['dd.MM.yyyy HH:mm', '1.1.2026  9:05', { month: 1, day: 1, seconds: 32_700 }],
    ['M/d/yyyy h:mm a', '1/31/2026 12:05 AM', { month: 1, day: 31, seconds: 300 }],
    ['M/d/yyyy h:mm a', '1/31/2026 1:05\u202fp.m.', { seconds: 47_100 }],
    ['yyyyMMddHHmmss', '20260131133015', { day: 31, seconds: 48_615 }],
    ["yyyy-MM-dd'T'HH:mm:ss.SSSXXX", '2026-01-31T13:30:15.250+01:30', { seconds: 48_615.25, offset: 5400 }],
    ['yyyy-MM-ddTHH:mmX', '2026-01-31T13:30Z', { offset: 0 }],
    ['EEEE, d MMMM yy', 'Saturday, 31 January 26', { year: 2026, month: 1, day: 31, seconds: 0 }],
    ['MMM d, yyyy', 'Sept. 3, 2026', { month: 9, day: 3 }],
    ["d. MMM yyyy 'um' HH 'o''clock'", "3. Sep 2026 um 07 o'clock", { day: 3, seconds: 25_200 }],
  ])('with the pattern %s parses %j', (pattern, text, expected) => {
    expect(read(pattern, text)).toMatchObject(expected);
  });

  it.each([
    ['dd.MM.yyyy', '31/01/2026'],
    ['dd.MM.yyyy', '31.01.26'],
    ['dd.MM.yyyy', '31.01.2026 13:30'],
    ['dd.MM.yyyy HH:mm', '31.01.2026 25:00'],
    ['dd.MM.yyyy HH:mm', '31.01.2026 12:60'],
    ['M/d/yyyy h:mm a', '1/31/2026 13:05 PM'],
    ['M/d/yyyy h:mm a', '1/31/2026 0:05 PM'],
    ['M/d/yyyy h:mm a', '1/31/2026 1:05'],
    ['d MMM yyyy', '3 Brumaire 2026'],
    ['yyyyMMdd', '2026131'],
    ['yyyy-MM-dd HH:mmX', '2026-01-31 13:30+25'],
  ])('with the pattern %s rejects %j', (pattern, text) => {
    expect(read(pattern, text)).toBeNull();
  });

  it.each([
    ['HH:mm', 'has no year (y)'],
    ['dd.MM. HH:mm', 'has no year (y)'],
    ['MM.yyyy', 'has no day (d)'],
    ['dd.MM.yyyy h:mm', 'h and a belong together'],
    ['dd.MM.yyyy HH:mm a', 'h and a belong together'],
    ['dd.MM.yyyy QQ', 'the letter Q'],
    ["dd.MM.yyyy 'um", 'a quote is not closed'],
    ['y'.repeat(65), 'must have at most 64 characters'],
  ])('rejects the pattern %s', (pattern, reason) => {
    expect(() => new TimeFormat(pattern)).toThrow(TimeFormatError);
    expect(() => new TimeFormat(pattern)).toThrow(reason);
  });

  it('parses the output of another implementation', () => {
    const patterns = [
      'dd.MM.yyyy HH:mm:ss',
      'M/d/yyyy h:mm:ss a',
      'yyyyMMddHHmmss',
      'EEE, d MMM yyyy HH:mm:ss',
      'd MMMM yyyy H:m:s',
      "yyyy-MM-dd'T'HH:mm:ss",
    ];
    const second = fc.integer({ min: Date.UTC(2012, 0) / 1000, max: Date.UTC(2035, 0) / 1000 });
    fc.assert(
      fc.property(fc.constantFrom(...patterns), second, (pattern, seconds) => {
        const time = DateTime.fromSeconds(seconds, { zone: 'UTC', locale: 'en-US' });
        const { year, month, day } = time;
        const found = read(pattern, time.toFormat(pattern));
        expect(found).toEqual({ year, month, day, seconds: seconds % 86_400, offset: null });
      }),
      { seed: 121, numRuns: 1000 },
    );
  });

  it('parses or rejects any text with any pattern, without any other error', () => {
    const letters = fc.constantFrom(
      'y',
      'yyyy',
      'M',
      'MMM',
      'd',
      'H',
      'h',
      'm',
      's',
      'S',
      'a',
      'E',
      'X',
      ' ',
      '.',
      "'",
      'Q',
    );
    const text = fc.string({ unit: fc.constantFrom('1', '9', '.', ' ', 'a', 'M', '+', ':', 'é'), maxLength: 40 });
    fc.assert(
      fc.property(fc.array(letters, { maxLength: 12 }), text, (pieces, cell) => {
        try {
          read(`yMd${pieces.join('')}`, cell);
        } catch (error) {
          if (!(error instanceof TimeFormatError)) throw error;
        }
      }),
      { seed: 122, numRuns: 2000 },
    );
  });
});
