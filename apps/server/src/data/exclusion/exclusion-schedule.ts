import { DateTime } from 'luxon';
import { type Exclusion, type Recurrence, WEEKDAYS } from './exclusion.types.js';

/**
 * True if an exclusion is in force at a moment. `now` in Unix seconds, `timezone` an IANA name. Starts are inclusive,
 * ends exclusive.
 */
export function isInForce(
  { fromTimestamp, untilTimestamp, recurrence }: Pick<Exclusion, 'fromTimestamp' | 'untilTimestamp' | 'recurrence'>,
  now: number,
  timezone: string,
): boolean {
  if (fromTimestamp !== null && now < fromTimestamp) return false;
  if (untilTimestamp !== null && now >= untilTimestamp) return false;
  return recurrence === null || isWithin(recurrence, now, timezone);
}

/** A span lasts at most a day, so only one that began today or yesterday can contain the moment. */
function isWithin({ days, start, durationSeconds }: Recurrence, now: number, timezone: string): boolean {
  const [hour, minute] = start.split(':').map(Number) as [number, number];
  const today = DateTime.fromSeconds(now, { zone: timezone });
  return [today, today.minus({ days: 1 })].some((day) => {
    if (!days.includes(WEEKDAYS[day.weekday - 1]!)) return false;
    const began = day.set({ hour, minute, second: 0, millisecond: 0 }).toSeconds();
    return now >= began && now < began + durationSeconds;
  });
}
