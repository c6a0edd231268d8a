/** Moments and lengths of time as people read them, in English. Times are Unix seconds, zones IANA names. */

const MINUTE = 60;
const HOUR = 3600;
const DAY = 86_400;
/** Maximum distance from now at which a time is written with its weekday, seconds. */
const NAMED_BY_WEEKDAY = 6 * DAY;

const formats = new Map<string, Intl.DateTimeFormat>();

/** Returns a format of times, which is created once. */
export function timeFormat(zone: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${zone} ${JSON.stringify(options)}`;
  let format = formats.get(key);
  if (!format)
    formats.set(key, (format = new Intl.DateTimeFormat('en-GB', { timeZone: zone, hourCycle: 'h23', ...options })));
  return format;
}

const dayOf = (timestamp: number, zone: string): string =>
  timeFormat(zone, { year: 'numeric', month: '2-digit', day: '2-digit' }).format(timestamp * 1000);

/**
 * `14:02` on the day of `now`, `Mon 14:02` within six days of it, else `12 Oct 14:02`, with the year if it is not the
 * current one.
 */
export function timeText(timestamp: number, zone: string, now: number): string {
  const time = timeFormat(zone, { hour: '2-digit', minute: '2-digit' }).format(timestamp * 1000);
  if (dayOf(timestamp, zone) === dayOf(now, zone)) return time;
  if (Math.abs(now - timestamp) < NAMED_BY_WEEKDAY) return weekdayTimeText(timestamp, zone);
  return `${dayText(timestamp, zone, now)} ${time}`;
}

/** `Mon 14:02` */
export function weekdayTimeText(timestamp: number, zone: string): string {
  const at = timestamp * 1000;
  const time = timeFormat(zone, { hour: '2-digit', minute: '2-digit' }).format(at);
  return `${timeFormat(zone, { weekday: 'short' }).format(at)} ${time}`;
}

/** `12 Oct 2025` */
export function dateText(timestamp: number, zone: string): string {
  return timeFormat(zone, { day: 'numeric', month: 'short', year: 'numeric' }).format(timestamp * 1000);
}

/** `12 Oct`, with the year if it is not that of `now`. */
export function dayText(timestamp: number, zone: string, now: number): string {
  const year = timeFormat(zone, { year: 'numeric' });
  const isSameYear = year.format(timestamp * 1000) === year.format(now * 1000);
  return timeFormat(zone, { day: 'numeric', month: 'short', ...(isSameYear ? {} : { year: 'numeric' }) }).format(
    timestamp * 1000,
  );
}

/** `29 minutes`, `3 hours 5 minutes`, `2 days`; less than a minute in seconds; `one point` for 0 seconds. */
export function lastingText(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  if (whole === 0) return 'one point';
  if (whole < MINUTE) return counted(whole, 'second');
  const minutes = Math.round(whole / MINUTE);
  if (minutes < 60) return counted(minutes, 'minute');
  if (minutes < 48 * 60) return joined(counted(Math.floor(minutes / 60), 'hour'), minutes % 60, 'minute');
  const hours = Math.round(minutes / 60);
  return joined(counted(Math.floor(hours / 24), 'day'), hours % 24, 'hour');
}

/** The text after `every`: `minute`, `5 minutes`, `90 seconds`, `day`. */
export function intervalText(seconds: number): string {
  const whole = Math.max(1, Math.round(seconds));
  if (whole === DAY) return 'day';
  if (whole === HOUR) return 'hour';
  if (whole === MINUTE) return 'minute';
  if (whole === 1) return 'second';
  return whole < 2 * MINUTE ? counted(whole, 'second') : lastingText(whole);
}

/** `1 metric`, `2,000 metrics` */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${countText(count)} ${count === 1 ? one : many}`;

const counts = new Intl.NumberFormat('en-GB');

/** A count of things, in full: `1,204`. */
export const countText = (count: number): string => counts.format(count);

function joined(first: string, rest: number, unit: string): string {
  return rest === 0 ? first : `${first} ${counted(rest, unit)}`;
}
