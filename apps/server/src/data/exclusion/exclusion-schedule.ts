import { DateTime } from 'luxon';
import { type Exclusion, type Recurrence, WEEKDAYS } from './exclusion.types.js';

type Times = Pick<Exclusion, 'fromTimestamp' | 'untilTimestamp' | 'recurrence'>;

/** Unix seconds, both inclusive. */
export interface Span {
  from: number;
  until: number;
}

/** After this many days, weekly times repeat. */
const WEEK_DAYS = 7;

/**
 * True if an exclusion is in force at a moment. `now` in Unix seconds, `timezone` an IANA name. Starts are inclusive,
 * ends exclusive.
 */
export function isInForce(times: Times, now: number, timezone: string): boolean {
  return isInForceDuring(times, { from: now, until: now }, timezone);
}

/** True if an exclusion is in force at any moment of a span. */
export function isInForceDuring(
  { fromTimestamp, untilTimestamp, recurrence }: Times,
  { from, until }: Span,
  timezone: string,
): boolean {
  if (fromTimestamp !== null && until < fromTimestamp) return false;
  if (untilTimestamp !== null && from >= untilTimestamp) return false;
  if (recurrence === null) return true;
  const start = Math.max(from, fromTimestamp ?? from);
  return beginningsOf(recurrence, { from: start, until }, timezone).some(
    (began) => began < (untilTimestamp ?? Infinity) && began <= until && start < began + recurrence.durationSeconds,
  );
}

/** Beginnings on the days of a span and on the day before it: a weekly window lasts at most a day. */
function beginningsOf({ days, start }: Recurrence, { from, until }: Span, timezone: string): number[] {
  const [hour, minute] = start.split(':').map(Number) as [number, number];
  const found: number[] = [];
  let day = DateTime.fromSeconds(from, { zone: timezone }).startOf('day').minus({ days: 1 });
  for (let i = 0; i <= WEEK_DAYS + 1 && day.toSeconds() <= until; i++, day = day.plus({ days: 1 })) {
    if (!days.includes(WEEKDAYS[day.weekday - 1]!)) continue;
    found.push(day.set({ hour, minute, second: 0, millisecond: 0 }).toSeconds());
  }
  return found;
}
