import { DateTime } from 'luxon';
import { timeRangeText, timeTicks } from './time-axis.js';

const at = (text: string, zone: string): number => DateTime.fromISO(text, { zone }).toSeconds();
const labels = (from: string, until: string, zone: string, maxTicks: number): string[] =>
  timeTicks(at(from, zone), at(until, zone), zone, maxTicks).map(({ label, context }) =>
    context === null ? label : `${label} | ${context}`,
  );

describe('timeTicks', () => {
  it.each([
    [
      'labels hours in the time zone, with the date where a day begins',
      ['2022-07-11T02:40', '2022-07-12T02:40', 'Europe/Oslo', 8],
      ['03:00 | 11 Jul 2022', '06:00', '09:00', '12:00', '15:00', '18:00', '21:00', '00:00 | 12 Jul 2022'],
    ],
    [
      'labels seconds',
      ['2022-07-11T02:40:00', '2022-07-11T02:40:30', 'UTC', 3],
      ['02:40:00 | 11 Jul 2022', '02:40:10', '02:40:20', '02:40:30'],
    ],
    [
      'labels quarter hours in a zone with an offset of 45 minutes',
      ['2022-07-11T02:40', '2022-07-11T03:20', 'Asia/Kathmandu', 3],
      ['02:45 | 11 Jul 2022', '03:00', '03:15'],
    ],
    [
      'labels days',
      ['2022-07-29T12:00', '2022-08-02T12:00', 'UTC', 5],
      ['Sat 30 | Jul 2022', 'Sun 31', 'Mon 1 | Aug 2022', 'Tue 2'],
    ],
    [
      'labels weeks from Monday',
      ['2022-07-11T00:00', '2022-08-08T00:00', 'America/New_York', 5],
      ['11 Jul | 2022', '18 Jul', '25 Jul', '1 Aug', '8 Aug'],
    ],
    [
      'labels months, with the year where it begins',
      ['2022-10-15T00:00', '2023-02-15T00:00', 'UTC', 5],
      ['Nov | 2022', 'Dec', 'Jan | 2023', 'Feb'],
    ],
    ['labels years', ['2001-03-01T00:00', '2004-02-01T00:00', 'UTC', 3], ['2002', '2003', '2004']],
  ] as const)('%s', (_, [from, until, zone, maxTicks], want) =>
    expect(labels(from, until, zone, maxTicks)).toEqual(want),
  );

  it('keeps round local hours at the start of daylight saving time and skips the missing hour', () => {
    expect(labels('2022-03-27T00:00', '2022-03-27T06:00', 'Europe/Oslo', 7)).toEqual([
      '00:00 | 27 Mar 2022',
      '01:00',
      '03:00',
      '04:00',
      '05:00',
      '06:00',
    ]);
  });

  it('is in ascending order across the repeated hour at the end of daylight saving time', () => {
    const ticks = timeTicks(
      at('2022-10-30T00:00', 'Europe/Oslo'),
      at('2022-10-30T06:00', 'Europe/Oslo'),
      'Europe/Oslo',
      8,
    );
    ticks.slice(1).forEach((tick, i) => expect(tick.timestamp).toBeGreaterThan(ticks[i]!.timestamp));
  });

  it('continues after the day that Apia skipped', () => {
    expect(labels('2011-12-28T12:00', '2012-01-01T12:00', 'Pacific/Apia', 4)).toEqual([
      'Thu 29 | Dec 2011',
      'Sat 31',
      'Sun 1 | Jan 2012',
    ]);
  });

  it('returns no ticks for a window without a round time', () => {
    expect(timeTicks(1_657_500_001.2, 1_657_500_001.8, 'UTC', 3)).toEqual([]);
  });
});

describe('timeRangeText', () => {
  it('writes the date once for a window within a day', () => {
    expect(timeRangeText(at('2022-07-11T02:40', 'UTC'), at('2022-07-11T05:40', 'UTC'), 'UTC')).toBe(
      '11 Jul 2022, 02:40 – 05:40',
    );
  });

  it('writes both dates for a window over two days', () => {
    expect(timeRangeText(at('2022-07-11T02:40', 'UTC'), at('2022-07-12T02:40', 'UTC'), 'Europe/Oslo')).toBe(
      '11 Jul 2022, 04:40 – 12 Jul 2022, 04:40',
    );
  });
});
