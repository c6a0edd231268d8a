import { fromInputText, inputText } from '../../lib/time-input';
import { type ExclusionBody, WEEKDAYS, type Weekday } from './exclusion-form';
import { type Schema } from '../../lib/api';

const CALENDAR_DAYS = 14;
const DAY_MS = 86_400_000;

/** The times at which an exclusion applies. Unix seconds; null: unlimited on that side. */
export interface Schedule {
  from: number | null;
  until: number | null;
  recurrence: { days: readonly Weekday[]; start: string; seconds: number } | null;
}

export const scheduleOf = ({
  from_timestamp: from,
  until_timestamp: until,
  recurrence,
}: Pick<Schema<'ExclusionDto'>, 'from_timestamp' | 'until_timestamp' | 'recurrence'>): Schedule => ({
  from,
  until,
  recurrence: recurrence && { days: recurrence.days, start: recurrence.start, seconds: recurrence.duration_seconds },
});

/** The schedule of the unsaved form. */
export const scheduleOfBody = ({
  from = null,
  until = null,
  recurrence_days: days,
  recurrence_start: start,
  recurrence_duration_seconds: seconds,
}: ExclusionBody): Schedule => ({
  from,
  until,
  recurrence: days && start && seconds ? { days, start, seconds } : null,
});

/** A part of a day: its start and end as shares of the day, and its times of day. */
export interface CalendarBlock {
  start: number;
  end: number;
  /** `02:00`; `24:00` if it continues on the next day. */
  from: string;
  until: string;
}

export interface CalendarDay {
  /** `2025-10-12`, in the zone. */
  date: string;
  /** Unix seconds of its start, and of the start of the next day. */
  from: number;
  until: number;
}

/** The day of a moment and the following days, as they are in a zone: one day in the year has 23 hours. */
export function calendarDays(now: number, zone: string, count = CALENDAR_DAYS): CalendarDay[] {
  const today = Date.parse(`${inputText(now, zone).slice(0, 10)}T00:00:00Z`);
  const dates = Array.from({ length: count + 1 }, (_, i) => new Date(today + i * DAY_MS).toISOString().slice(0, 10));
  const beginnings = dates.map((date) => fromInputText(`${date}T00:00`, zone) ?? 0);
  return dates.slice(0, count).map((date, i) => ({ date, from: beginnings[i]!, until: beginnings[i + 1]! }));
}

/** The parts of a day that a schedule covers. */
export function blocksOf({ from, until, recurrence }: Schedule, day: CalendarDay, zone: string): CalendarBlock[] {
  const first = Math.max(day.from, from ?? -Infinity);
  const last = Math.min(day.until, until ?? Infinity);
  const stretches = recurrence === null ? [[first, last] as const] : occurrences(recurrence, day, zone);
  return stretches.flatMap(([begin, end]) => {
    const [start, stop] = [Math.max(begin, first), Math.min(end, last)];
    if (start >= stop) return [];
    const share = (at: number): number => (at - day.from) / (day.until - day.from);
    return [
      {
        start: share(start),
        end: share(stop),
        from: inputText(start, zone).slice(11),
        until: stop === day.until ? '24:00' : inputText(stop, zone).slice(11),
      },
    ];
  });
}

/** Occurrences that start on the day, and those of the previous day that may extend into it. */
function occurrences(
  { days, start, seconds }: NonNullable<Schedule['recurrence']>,
  day: CalendarDay,
  zone: string,
): (readonly [begin: number, end: number])[] {
  const midnight = Date.parse(`${day.date}T00:00:00Z`);
  return [midnight - DAY_MS, midnight].flatMap((ms) => {
    const date = new Date(ms);
    // JavaScript counts Sunday as 0; here it is the last day.
    const weekday = WEEKDAYS[(date.getUTCDay() + 6) % 7]!;
    const begin = days.includes(weekday) ? fromInputText(`${date.toISOString().slice(0, 10)}T${start}`, zone) : null;
    return begin === null ? [] : [[begin, begin + seconds] as const];
  });
}
