import { DateTime } from 'luxon';

const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
const FREQUENCY = /^(daily|weekly|monthly)-([a-z]+|\d{1,2})?(?:-?(\d{2}):(\d{2}))?$/;
const DEFAULT_TIME = { hour: 8, minute: 0 };

/** When a report is sent, in the zone of the organisation. */
export interface SummaryRhythm {
  /** ISO weekday, 1 = Monday; null unless weekly. */
  weekday: number | null;
  /** 1..28; null unless monthly. */
  day: number | null;
  hour: number;
  minute: number;
}

/** `daily-10:00`, `weekly-monday`, `monthly-1-06:30`; undefined for any other text. */
export function parseFrequency(text: string): SummaryRhythm | undefined {
  const [kind, ...rest] = text.split('-');
  if (!FREQUENCY.test(text)) return undefined;
  if (kind === 'daily') {
    const time = parseTime(rest[0]);
    return rest.length === 1 && time ? { weekday: null, day: null, ...time } : undefined;
  }
  const time = rest.length === 1 ? DEFAULT_TIME : rest.length === 2 ? parseTime(rest[1]) : undefined;
  if (!time) return undefined;
  if (kind === 'weekly') {
    const weekday = WEEKDAYS.indexOf(rest[0]!) + 1;
    return weekday === 0 ? undefined : { weekday, day: null, ...time };
  }
  const day = /^[1-9]\d?$/.test(rest[0]!) ? Number(rest[0]) : 0;
  return day >= 1 && day <= 28 ? { weekday: null, day, ...time } : undefined;
}

function parseTime(text: string | undefined): { hour: number; minute: number } | undefined {
  if (text === undefined || !/^\d{2}:\d{2}$/.test(text)) return undefined;
  const [hour, minute] = text.split(':').map(Number) as [number, number];
  return hour < 24 && minute < 60 ? { hour, minute } : undefined;
}

/**
 * The next time of a report after a moment, in Unix seconds. Local time counts: the hour stays the same when
 * daylight-saving time begins or ends. A local time that does not exist is an hour later; of one that occurs twice, the
 * first counts.
 * @param after Unix seconds; `timezone` an IANA name
 */
export function nextSummary({ weekday, day, hour, minute }: SummaryRhythm, after: number, timezone: string): number {
  const start = DateTime.fromSeconds(after, { zone: timezone }).startOf('day');
  const first = day === null ? start : start.startOf('month');
  for (let step = 0; ; step++) {
    const date = day === null ? first.plus({ days: step }) : first.plus({ months: step }).set({ day });
    if (weekday !== null && date.weekday !== weekday) continue;
    const at = Math.floor(date.set({ hour, minute }).toSeconds());
    if (at > after) return at;
  }
}
