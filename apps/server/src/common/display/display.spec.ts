import { date, dateTime, duration, longDateTime, number, percent, percentOf, relative } from './display.js';

const MINUTE = 60;
const HOUR = 3600;
const DAY = 86_400;
const NOW = 1_760_000_000;

describe('longDateTime', () => {
  it.each([
    [1657638060, 'UTC', 'Tue 12 Jul 2022 @ 15:01 (UTC)'],
    [1760000000, 'Europe/Oslo', 'Thu 09 Oct 2025 @ 10:53 (CEST)'],
    [1704067200, 'Europe/Oslo', 'Mon 01 Jan 2024 @ 01:00 (CET)'],
    [1704067200, 'America/New_York', 'Sun 31 Dec 2023 @ 19:00 (EST)'],
    [1704067200, 'Asia/Tokyo', 'Mon 01 Jan 2024 @ 09:00 (JST)'],
    [1704067200, 'Asia/Seoul', 'Mon 01 Jan 2024 @ 09:00 (KST)'],
    [1704067200, 'Asia/Kolkata', 'Mon 01 Jan 2024 @ 05:30 (IST)'],
    [1704067200, 'Australia/Sydney', 'Mon 01 Jan 2024 @ 11:00 (AEDT)'],
    [1704067200, 'Europe/Istanbul', 'Mon 01 Jan 2024 @ 03:00 (+03)'],
    [1704067200, 'Asia/Kathmandu', 'Mon 01 Jan 2024 @ 05:45 (+0545)'],
    [1704067200, 'America/Sao_Paulo', 'Sun 31 Dec 2023 @ 21:00 (-03)'],
    [1704067200.9, 'UTC', 'Mon 01 Jan 2024 @ 00:00 (UTC)'],
    [1720000000, 'Europe/London', 'Wed 03 Jul 2024 @ 10:46 (BST)'],
    [1720000000, 'Europe/Moscow', 'Wed 03 Jul 2024 @ 12:46 (MSK)'],
    [1757000000, 'UTC', 'Thu 04 Sep 2025 @ 15:33 (UTC)'],
    [1414276200, 'Europe/Berlin', 'Sun 26 Oct 2014 @ 00:30 (CEST)'],
  ])('writes %d in %s', (timestamp, zone, text) => {
    expect(longDateTime(timestamp, zone)).toBe(text);
  });
});

describe('dateTime and date', () => {
  it.each([
    [1759996800, 'UTC', 'October 9th 2025, 08:00'],
    [1759996800, 'Europe/Oslo', 'October 9th 2025, 10:00'],
    [1759276800, 'UTC', 'October 1st 2025, 00:00'],
    [1759363200, 'UTC', 'October 2nd 2025, 00:00'],
    [1759449600, 'UTC', 'October 3rd 2025, 00:00'],
    [1760140800, 'UTC', 'October 11th 2025, 00:00'],
    [1760227200, 'UTC', 'October 12th 2025, 00:00'],
    [1760313600, 'UTC', 'October 13th 2025, 00:00'],
    [1761004800, 'UTC', 'October 21st 2025, 00:00'],
    [1761091200, 'UTC', 'October 22nd 2025, 00:00'],
    [1761177600, 'UTC', 'October 23rd 2025, 00:00'],
    [1761868800, 'UTC', 'October 31st 2025, 00:00'],
    [1760054399, 'UTC', 'October 9th 2025, 23:59'],
  ])('writes %d in %s', (timestamp, zone, text) => {
    expect(dateTime(timestamp, zone)).toBe(text);
    expect(date(timestamp, zone)).toBe(text.split(',')[0]);
  });
});

describe('relative', () => {
  it.each([
    [0, 'just now'],
    [59, 'just now'],
    [60, '1 minute ago'],
    [5 * MINUTE, '5 minutes ago'],
    [HOUR - 1, '59 minutes ago'],
    [HOUR, '1 hour ago'],
    [2 * HOUR - 1, '1 hour ago'],
    [27 * HOUR, '27 hours ago'],
    [48 * HOUR - 1, '47 hours ago'],
    [2 * DAY, '2 days ago'],
    [9 * DAY, '9 days ago'],
    [14 * DAY - 1, '13 days ago'],
    [14 * DAY, 'more than 2 weeks ago'],
    [36 * DAY, 'more than 5 weeks ago'],
    [60 * DAY - 1, 'more than 8 weeks ago'],
    [60 * DAY, 'more than 1 month ago'],
    [61 * DAY, 'more than 2 months ago'],
    [214 * DAY, 'more than 7 months ago'],
    [730 * DAY - 1, 'more than 23 months ago'],
    [730 * DAY, 'more than 1 year ago'],
    [800 * DAY, 'more than 2 years ago'],
    [-59, 'just now'],
    [-60, 'in 1 minute'],
    [-5 * MINUTE, 'in 5 minutes'],
    [-15 * DAY, 'in more than 2 weeks'],
  ])('writes the time %d seconds ago', (seconds, text) => {
    expect(relative(NOW - seconds, NOW)).toBe(text);
  });

  it('writes never without a time', () => {
    expect(relative(null, NOW)).toBe('never');
  });
});

describe('duration', () => {
  it.each([
    [DAY, '24 hour'],
    [7 * DAY, '7 day'],
    [30 * DAY, '30 day'],
    [2 * DAY, '2 day'],
    [36 * HOUR, '36 hour'],
    [HOUR, '1 hour'],
    [90 * MINUTE, '90 minute'],
    [MINUTE, '1 minute'],
    [90, '90 second'],
    [1, '1 second'],
    [0, '0 second'],
  ])('writes %d seconds', (seconds, text) => {
    expect(duration(seconds)).toBe(text);
  });
});

describe('percent', () => {
  it.each([
    [11, 50, '22%', '22% (11/50)'],
    [0, 0, '0%', '0% (0/0)'],
    [1, 3, '33%', '33% (1/3)'],
    [2, 3, '67%', '67% (2/3)'],
    [50, 50, '100%', '100% (50/50)'],
  ])('writes %d of %d', (part, whole, short, long) => {
    expect(percent(part, whole)).toBe(short);
    expect(percentOf(part, whole)).toBe(long);
  });
});

describe('number', () => {
  it.each([
    [0, '0'],
    [-0, '0'],
    [3350.5, '3350.5'],
    [4870, '4870'],
    [1 / 3, '0.333333'],
    [1234567, '1234570'],
    [-1234567.8, '-1234570'],
    [0.1 + 0.2, '0.3'],
    [100.10001, '100.1'],
    [0.000001, '0.000001'],
    [0.00000123456789, '0.00000123457'],
    [0.000000999, '9.99e-7'],
    [1e-9, '1e-9'],
    [999999e9, '999999000000000'],
    [1e15, '1e15'],
    [-1.5e15, '-1.5e15'],
    [999999.9e9, '1e15'],
    [1e21, '1e21'],
    [1.23456789e300, '1.23457e300'],
  ])('writes %d', (value, text) => {
    expect(number(value)).toBe(text);
  });
});
