import { blocksOf, calendarDays, scheduleOfBody } from './exclusion-calendar';

const at = (text: string): number => Date.parse(text) / 1000;
const ZONE = 'Europe/Berlin';

describe('calendarDays', () => {
  it('starts with the current day in the time zone, and supports days of 25 hours', () => {
    const days = calendarDays(at('2025-10-24T22:30:00Z'), ZONE, 3);
    expect(days.map(({ date }) => date)).toEqual(['2025-10-25', '2025-10-26', '2025-10-27']);
    expect(days.map(({ from, until }) => (until - from) / 3600)).toEqual([24, 25, 24]);
  });
});

describe('blocksOf', () => {
  const [sunday, monday] = calendarDays(at('2025-10-12T10:00:00Z'), ZONE, 2);

  it('returns the part of a one-time exclusion that falls on the day', () => {
    const once = { from: at('2025-10-12T20:00:00Z'), until: at('2025-10-13T02:00:00Z'), recurrence: null };
    expect(blocksOf(once, sunday!, ZONE)).toEqual([{ start: 22 / 24, end: 1, from: '22:00', until: '24:00' }]);
    expect(blocksOf(once, monday!, ZONE)).toEqual([{ start: 0, end: 4 / 24, from: '00:00', until: '04:00' }]);
  });

  it('returns the part of a weekly exclusion on the day, including one that began on the previous day', () => {
    const weekly = scheduleOfBody({
      type: 'alerting',
      chips: ['db-*'],
      reason: '',
      recurrence_days: ['sun'],
      recurrence_start: '23:00',
      recurrence_duration_seconds: 9000,
    });
    expect(blocksOf(weekly, sunday!, ZONE)).toEqual([{ start: 23 / 24, end: 1, from: '23:00', until: '24:00' }]);
    expect(blocksOf(weekly, monday!, ZONE)).toMatchObject([{ start: 0, from: '00:00', until: '01:30' }]);
  });

  it('covers the whole day for an exclusion without times', () => {
    expect(blocksOf({ from: null, until: null, recurrence: null }, monday!, ZONE)).toMatchObject([
      { start: 0, end: 1 },
    ]);
  });
});
