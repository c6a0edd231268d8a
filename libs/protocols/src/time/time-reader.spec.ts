import fc from 'fast-check';
import { DateTime } from 'luxon';
import { TimeFormat } from './time-format.js';
import { TimeOrder, TimeReader } from './time-reader.js';

const readerOf = (timezone = 'UTC', pattern?: string): TimeReader =>
  new TimeReader({ timezone, format: pattern === undefined ? null : new TimeFormat(pattern) });

function read(text: string, timezone = 'UTC', pattern?: string): number {
  const bytes = Buffer.from(`xx${text}yy`);
  return readerOf(timezone, pattern).read(bytes, 2, bytes.length - Buffer.byteLength('yy'));
}

describe('a time in CSV', () => {
  it.each<[string, number]>([
    ['1760000000', 1_760_000_000],
    ['1760000000.25', 1_760_000_000.25],
    ['1760000000250', 1_760_000_000.25],
    ['99999999999', 99_999_999_999],
    ['100000000000', 100_000_000],
    ['1.76e9', 1_760_000_000],
    ['0', 0],
    ['-5', -5],
    ['99999999999999', 99_999_999_999.999],
    ['1760000000250000', 1_760_000_000.25],
    ['100000000000000', 100_000_000],
    ['1760000000250000000', 1_760_000_000.25],
    ['100000000000000000', 100_000_000],
  ])('is recognised as seconds, milliseconds, microseconds or nanoseconds: %s', (text, seconds) => {
    // A double holds a present time to some hundred nanoseconds.
    expect(read(text)).toBeCloseTo(seconds, 6);
  });

  it.each<[string, string, string]>([
    ['20240101', 'UTC', '2024-01-01T00:00:00Z'],
    ['20260131', 'Europe/Berlin', '2026-01-30T23:00:00Z'],
  ])('may be a day without separators: %s in %s', (text, timezone, expected) => {
    expect(read(text, timezone)).toBe(Date.parse(expected) / 1000);
  });

  it.each<[string, string, string]>([
    ['yesterday', 'is neither Unix time nor ISO 8601', 'time_format=dd.MM.yyyy HH:mm'],
    ['31.01.2026', 'is neither Unix time nor ISO 8601', 'time_format=dd.MM.yyyy'],
    ['1/31/2026 1:30 PM', 'is neither Unix time nor ISO 8601', 'time_format=M/d/yyyy h:mm a'],
    ['2026-02-30 10:00', 'not a day and time that exists', ''],
    ['20260230', 'not an existing day', 'yyyyMMdd'],
    ['', 'the cell is empty', ''],
  ])('is rejected with the reason: %j', (text, reason, advice) => {
    const explained = readerOf().explain(text, 'time_format=');
    expect(explained).toContain(reason);
    expect(explained).toContain(advice);
  });

  it.each<[string, string]>([
    ['9999999999', 'taken for seconds: 2286-11-20'],
    ['9999999999999', 'taken for milliseconds: 2286-11-20'],
    ['9999999999999999', 'taken for microseconds: 2286-11-20'],
    ['9999999999999999999', 'taken for nanoseconds: 2286-11-20'],
    ['1e25', 'taken for nanoseconds: after the year 9999'],
    ['2286-11-20', 'is 2286-11-20'],
    ['22861120', 'is 2286-11-20'],
  ])('is described with its recognised unit: %s', (text, expected) => {
    expect(readerOf().describe(text, read(text))).toBe(expected);
  });

  it.each<[string, string, string, string]>([
    ['31.01.2026 13:30', 'dd.MM.yyyy HH:mm', 'Europe/Berlin', '2026-01-31T12:30:00Z'],
    ['1/31/2026 12:05 AM', 'M/d/yyyy h:mm a', 'America/New_York', '2026-01-31T05:05:00Z'],
    ['20260131133000', 'yyyyMMddHHmmss', 'UTC', '2026-01-31T13:30:00Z'],
    ['31 Jan 2026 13:30:15 +0100', 'd MMM yyyy HH:mm:ss XX', 'UTC', '2026-01-31T12:30:15Z'],
    ['20260131', 'yyyyddMM', 'UTC', 'none'],
    ['30.02.2026 13:30', 'dd.MM.yyyy HH:mm', 'UTC', 'none'],
    ['1760000000', 'dd.MM.yyyy HH:mm', 'UTC', 'none'],
  ])('is parsed or rejected: %j with the format %s in %s', (text, pattern, timezone, expected) => {
    expect(read(text, timezone, pattern)).toBe(Date.parse(expected) / 1000);
  });

  describe('in the repeated hour in autumn', () => {
    const texts = ['01:30', '02:00', '02:30', '02:00', '02:30', '03:00'].map((time) => `2025-10-26 ${time}`);
    const first = Date.parse('2025-10-25T23:30:00Z') / 1000;
    const expected = texts.map((_, halfHours) => first + halfHours * 1800);
    const readAll = (all: readonly string[]): number[] => {
      const [reader, order] = [readerOf('Europe/Oslo'), new TimeOrder()];
      return all.map((text) => reader.read(Buffer.from(text), 0, text.length, order));
    };

    it('is resolved by the order of the rows', () => {
      expect(readAll(texts)).toEqual(expected);
    });

    it('is resolved in a file with the newest row first', () => {
      expect(readAll(texts.toReversed())).toEqual(expected.toReversed());
    });
  });

  it.each<[string, string]>([
    ['2026-01-31', '2026-01-31T00:00:00Z'],
    ['2026-01-31T12:30', '2026-01-31T12:30:00Z'],
    ['2026-01-31 12:30', '2026-01-31T12:30:00Z'],
    ['2026-01-31t12:30:15z', '2026-01-31T12:30:15Z'],
    ['2026-01-31T12:30:15.250Z', '2026-01-31T12:30:15.250Z'],
    ['2026-01-31T12:30:15,25Z', '2026-01-31T12:30:15.250Z'],
    ['2026-01-31 12:30:15 UTC'.replace(' UTC', ' Z'), '2026-01-31T12:30:15Z'],
    ['2026-01-31T12:30:15+01:00', '2026-01-31T11:30:15Z'],
    ['2026-01-31T12:30:15 -0530', '2026-01-31T18:00:15Z'],
    ['2026-01-31T12:30+14', '2026-01-30T22:30:00Z'],
    ['2026-01-31T24:00:00Z', '2026-02-01T00:00:00Z'],
    ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00Z'],
    ['1969-12-31T23:59:59Z', '1969-12-31T23:59:59Z'],
    ['20260131T123015Z', '2026-01-31T12:30:15Z'],
    ['2026-W05-6T12:30Z', '2026-01-31T12:30:00Z'],
    ['2026-031', '2026-01-31T00:00:00Z'],
  ])('is parsed as ISO 8601: %s', (text, expected) => {
    expect(read(text)).toBe(Date.parse(expected) / 1000);
  });

  it.each([
    '',
    'yesterday',
    '31.01.2026',
    '01/31/2026',
    '12:30',
    'T12:30',
    '2026-13-01',
    '2026-02-29',
    '2026-00-10',
    '2026-01-00',
    '2026-01-31X12:30',
    '2026-01-31T',
    '2026-01-31T1:30',
    '2026-01-31T25:00',
    '2026-01-31T24:01',
    '2026-01-31T12:60',
    '2026-01-31T12:30:60Z',
    '2026-01-31T12:30:15.Z',
    '2026-01-31T12:30:15+1',
    '2026-01-31T12:30:15+24:00',
    '2026-01-31T12:30:15Zulu',
    '2026-1-31',
    'nan',
    'inf',
    '2026-01-31T12:30:15.' + '1'.repeat(80),
  ])('is rejected: %j', (text) => {
    expect(read(text)).toBeNaN();
  });

  it.each<[string, string, string]>([
    ['Europe/Paris', '2026-07-01T12:00', '2026-07-01T10:00:00Z'],
    ['Europe/Paris', '2026-01-01', '2025-12-31T23:00:00Z'],
    ['Europe/Paris', '2026-07-01T12:00Z', '2026-07-01T12:00:00Z'],
    ['Asia/Kolkata', '2026-07-01T12:00', '2026-07-01T06:30:00Z'],
    // Clocks are set forward from 2:00 to 3:00, and back from 3:00 to 2:00.
    ['Europe/Paris', '2026-03-29T01:59', '2026-03-29T00:59:00Z'],
    ['Europe/Paris', '2026-03-29T02:30', '2026-03-29T01:30:00Z'],
    ['Europe/Paris', '2026-03-29T03:00', '2026-03-29T01:00:00Z'],
    ['Europe/Paris', '2026-10-25T01:59', '2026-10-24T23:59:00Z'],
    ['Europe/Paris', '2026-10-25T02:30', '2026-10-25T00:30:00Z'],
    ['Europe/Paris', '2026-10-25T03:00', '2026-10-25T02:00:00Z'],
  ])('without an offset is local: in %s, %s', (timezone, text, expected) => {
    expect(read(text, timezone)).toBe(Date.parse(expected) / 1000);
  });

  it('agrees with another implementation in any time zone', () => {
    const zones = [
      'Europe/Paris',
      'America/New_York',
      'Australia/Lord_Howe',
      'Asia/Kathmandu',
      'America/Sao_Paulo',
      'UTC',
    ];
    const readers = new Map(zones.map((zone) => [zone, readerOf(zone)]));
    const minute = fc.integer({ min: Date.UTC(2012, 0) / 60_000, max: Date.UTC(2035, 0) / 60_000 });
    fc.assert(
      fc.property(fc.constantFrom(...zones), minute, (zone, minutes) => {
        const wall = DateTime.fromMillis(minutes * 60_000, { zone: 'UTC' });
        const text = wall.toFormat("yyyy-MM-dd'T'HH:mm:ss");
        const bytes = Buffer.from(text);
        const seconds = readers.get(zone)!.read(bytes, 0, bytes.length);
        // The local time of the zone is the text again, unless it did not exist (clocks set forward).
        const local = DateTime.fromISO(text, { zone });
        const shown = DateTime.fromSeconds(seconds, { zone }).toFormat("yyyy-MM-dd'T'HH:mm:ss");
        if (local.toFormat("yyyy-MM-dd'T'HH:mm:ss") === text) expect(shown).toBe(text);
        else expect(seconds).toBe(local.toSeconds());
      }),
      { seed: 101, numRuns: 3000 },
    );
  });

  it('never throws for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (text) => {
        expect(typeof read(text, 'Europe/Paris')).toBe('number');
      }),
      { seed: 102, numRuns: 500 },
    );
  });
});
