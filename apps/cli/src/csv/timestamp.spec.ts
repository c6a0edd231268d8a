import { TimestampError, timestampReader } from './timestamp.js';

const read = (text: string, timezone = 'UTC'): number => timestampReader(timezone)(text);

describe('timestampReader', () => {
  it.each([
    ['Unix seconds', '1760000000', 1_760_000_000],
    ['Unix seconds with a fraction', '1760000000.25', 1_760_000_000.25],
    ['Unix milliseconds', '1760000000123', 1_760_000_000.123],
    ['small numbers', '0', 0],
    ['exponent form', '1.76e9', 1_760_000_000],
    ['ISO in UTC', '2025-10-09T08:53:20Z', 1_760_000_000],
    ['ISO with a blank', '2025-10-09 08:53:20', 1_760_000_000],
    ['ISO with an offset', '2025-10-09T10:53:20+02:00', 1_760_000_000],
    ['ISO with a short offset', '2025-10-09T10:53:20+02', 1_760_000_000],
    ['ISO with an offset without colon', '2025-10-09T04:23:20-0430', 1_760_000_000],
    ['ISO without seconds', '2025-10-09T08:53', 1_759_999_980],
    ['ISO with milliseconds', '2025-10-09T08:53:20.250Z', 1_760_000_000.25],
    ['a day', '2025-10-09', 1_759_968_000],
  ])('reads %s', (_, text, want) => expect(read(text)).toBeCloseTo(want, 6));

  it.each([
    ['', 'is empty'],
    ['yesterday', 'is neither Unix seconds'],
    ['09.10.2025', 'is neither Unix seconds'],
    ['2025-13-01', 'is not a day and time that exists'],
    ['2025-02-29 10:00', 'is not a day and time that exists'],
    ['2025-10-09 24:00', 'is not a day and time that exists'],
    ['2025-10-09 10:60', 'is not a day and time that exists'],
    ['1760000000000000', 'too large'],
    ['0x10', 'is neither Unix seconds'],
  ])('refuses "%s"', (text, rule) => {
    expect(() => read(text)).toThrow(TimestampError);
    expect(() => read(text)).toThrow(rule);
  });

  it.each([
    ['summer', '2025-07-01 12:00', '2025-07-01T10:00:00Z'],
    ['winter', '2025-12-01 12:00', '2025-12-01T11:00:00Z'],
    ['before the change', '2025-03-30 01:59', '2025-03-30T00:59:00Z'],
    ['after the change', '2025-03-30 03:00', '2025-03-30T01:00:00Z'],
    ['the hour that is left out', '2025-03-30 02:30', '2025-03-30T01:30:00Z'],
    ['the hour that comes twice', '2025-10-26 02:30', '2025-10-26T00:30:00Z'],
    ['the evening of that day', '2025-03-30 22:00', '2025-03-30T20:00:00Z'],
  ])('reads local times of the zone: %s', (_, local, utc) => {
    expect(read(local, 'Europe/Oslo')).toBe(Date.parse(utc) / 1000);
  });
});

describe('the hour that comes twice in autumn', () => {
  it('is read twice in a file that has it twice', () => {
    const read = timestampReader('Europe/Oslo');
    const times = ['01:30', '02:00', '02:30', '02:00', '02:30', '03:00'].map((time) => read(`2025-10-26 ${time}`));
    const first = Date.parse('2025-10-25T23:30:00Z') / 1000;
    expect(times).toEqual([0, 1, 2, 3, 4, 5].map((halfHours) => first + halfHours * 1800));
  });
});
