import { beyondText, clockText, lastingText, momentText, rangeText, shortened, valueText } from './value-text.js';

describe('valueText', () => {
  it.each([
    [84.2367, 'ms', '84.24 ms'],
    [8421.5, null, '8422'],
    [84_213, '', '84213'],
    [1_234_567, 'req/s', '1.235 M req/s'],
    [0, 'ms', '0 ms'],
    [-3.5, null, '-3.5'],
    [0.0842, 'seconds', '84.2 ms'],
    [0.000_012, 's', '12 µs'],
    [12.5, 's', '12.5 s'],
    [12_400_000_000, 'bytes', '12.4 GB'],
    [999.99, 'B', '1 kB'],
    [85, '%', '85%'],
    [1.2e-9, null, '1.20e-9'],
    [4e18, null, '4.00e18'],
    [null, 'ms', 'no value'],
    [NaN, null, '–'],
  ])('writes %p %p as %s', (value, unit, text) => {
    expect(valueText(value, unit)).toBe(text);
  });
});

describe('rangeText', () => {
  it.each([
    [3.35, 4.87, 'ms', '3.35 to 4.87 ms'],
    [900, 1200, 'bytes', '900 B to 1.2 kB'],
    [10, 20, '%', '10 to 20%'],
    [4, 4, null, '4'],
    [null, 4, 'ms', 'at most 4 ms'],
    [4, null, 'ms', 'at least 4 ms'],
  ])('writes %p and %p %p as %s', (lower, upper, unit, text) => {
    expect(rangeText(lower, upper, unit)).toBe(text);
  });

  it('knows of nothing where nothing is known', () => {
    expect(rangeText(null, null, 'ms')).toBeNull();
  });
});

describe('beyondText', () => {
  it.each([
    [0.0842, 0.0034, 0.0049, 'seconds', '79.3 ms above'],
    [3, 10, null, null, '7 below'],
    [12, null, 10, '%', '2% above'],
    [5, 4, 6, 'ms', null],
    [5, null, null, 'ms', null],
    [null, 4, 6, 'ms', null],
  ])('writes %p against %p to %p %p as %p', (value, lower, upper, unit, text) => {
    expect(beyondText(value, { lower, upper }, unit)).toBe(text);
  });
});

describe('times', () => {
  it.each([
    [0, 'one point'],
    [1, '1 second'],
    [1740, '29 minutes'],
    [3599, '1 hour'],
    [11_100, '3 hours 5 minutes'],
    [172_800, '2 days'],
    [176_400, '2 days 1 hour'],
  ])('%d seconds last %s', (seconds, text) => {
    expect(lastingText(seconds)).toBe(text);
  });

  it('are written in the zone, across a change of the clocks', () => {
    expect(momentText(1_761_436_800, 'Europe/Oslo')).toBe('Sun 26 Oct 2025, 02:00 (UTC+02:00)');
    expect(momentText(1_761_440_400, 'Europe/Oslo')).toBe('Sun 26 Oct 2025, 02:00 (UTC+01:00)');
    expect(momentText(1_761_440_400, 'UTC')).toBe('Sun 26 Oct 2025, 01:00 (UTC)');
    expect(clockText(1_761_440_400, 'UTC', 1_761_440_400 + 3600)).toBe('01:00');
    expect(clockText(1_761_440_400, 'UTC', 0)).toBe('Sun 26 Oct, 01:00');
  });
});

it('shortened leaves out the middle', () => {
  expect(shortened('abcdefghij', 10)).toBe('abcdefghij');
  expect(shortened('abcdefghijk', 6)).toBe('abc…jk');
  expect(shortened('a\r\nb\u2028c', 10)).toBe('a b c');
});
