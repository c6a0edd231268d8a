import { clockText, lastingText, momentText, shortened } from './value-text.js';

describe('formatting of times', () => {
  it.each([
    [0, 'one point'],
    [1, '1 second'],
    [1740, '29 minutes'],
    [3599, '1 hour'],
    [11_100, '3 hours 5 minutes'],
    [172_800, '2 days'],
    [172_799, '2 days'],
    [176_400, '2 days 1 hour'],
    [1_209_300, '14 days'],
  ])('formats %d seconds as "%s"', (seconds, text) => {
    expect(lastingText(seconds)).toBe(text);
  });

  it('uses the given time zone, across a change of daylight saving time', () => {
    expect(momentText(1_761_436_800, 'Europe/Oslo')).toBe('Sun 26 Oct 2025, 02:00 (UTC+02:00)');
    expect(momentText(1_761_440_400, 'Europe/Oslo')).toBe('Sun 26 Oct 2025, 02:00 (UTC+01:00)');
    expect(momentText(1_761_440_400, 'UTC')).toBe('Sun 26 Oct 2025, 01:00 (UTC)');
    expect(clockText(1_761_440_400, 'UTC', 1_761_440_400 + 3600)).toBe('01:00');
    expect(clockText(1_761_440_400, 'UTC', 0)).toBe('Sun 26 Oct, 01:00');
  });
});

it('shortened() removes the middle of a text and line breaks', () => {
  expect(shortened('abcdefghij', 10)).toBe('abcdefghij');
  expect(shortened('abcdefghijk', 6)).toBe('abc…jk');
  expect(shortened('a\r\nb\u2028c', 10)).toBe('a b c');
});
