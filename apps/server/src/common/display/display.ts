import { DateTime } from 'luxon';
import { DAY, HOUR } from '../time.js';

/** The runtime knows the abbreviation of a zone only in the English of the region where it is used. */
const ABBREVIATION_LOCALES = ['en-US', 'en-GB', 'en-CA', 'en-AU', 'en-IN', 'en-ZA', 'en-KE', 'en-HK', 'ja-JP'];

/** Abbreviations of the IANA database that no locale of the runtime provides: standard time, summer time. */
const ZONE_LETTERS: Readonly<Record<string, readonly [string, string]>> = {
  'Asia/Jakarta': ['WIB', 'WIB'],
  'Asia/Jerusalem': ['IST', 'IDT'],
  'Asia/Karachi': ['PKT', 'PKST'],
  'Asia/Manila': ['PST', 'PDT'],
  'Asia/Seoul': ['KST', 'KDT'],
  'Asia/Shanghai': ['CST', 'CDT'],
  'Europe/Moscow': ['MSK', 'MSD'],
};

/** Abbreviations that were looked up. */
const knownAbbreviations = new Map<string, string>();

/**
 * Times as texts for people, in English. Times are Unix seconds, zones IANA names; each text has a numeric counterpart.
 */

const MINUTE = 60;
const WEEK = 7 * DAY;
const MONTH = 30.44 * DAY;
const YEAR = 365.25 * DAY;

/** `Tue 12 Jul 2022 @ 15:01 (UTC)` */
export function longDateTime(timestamp: number, zone: string): string {
  const moment = momentOf(timestamp, zone);
  return `${moment.toFormat("ccc dd LLL yyyy '@' HH:mm")} (${zoneAbbreviation(moment)})`;
}

/** `October 9th 2025, 10:00` */
export function dateTime(timestamp: number, zone: string): string {
  return `${date(timestamp, zone)}, ${momentOf(timestamp, zone).toFormat('HH:mm')}`;
}

/** `October 9th 2025` */
export function date(timestamp: number, zone: string): string {
  const moment = momentOf(timestamp, zone);
  return `${moment.toFormat('LLLL')} ${ordinal(moment.day)} ${moment.toFormat('yyyy')}`;
}

/** `5 minutes ago`, `in more than 2 weeks`, `just now`; `never` without a time. Counts are rounded down. */
export function relative(timestamp: number | null, now: number): string {
  if (timestamp === null) return 'never';
  const seconds = Math.abs(now - timestamp);
  if (seconds < MINUTE) return 'just now';
  const distance = distanceText(seconds);
  return timestamp <= now ? `${distance} ago` : `in ${distance}`;
}

function distanceText(seconds: number): string {
  if (seconds < HOUR) return count(seconds / MINUTE, 'minute');
  if (seconds < 2 * DAY) return count(seconds / HOUR, 'hour');
  if (seconds < 14 * DAY) return count(seconds / DAY, 'day');
  if (seconds < 60 * DAY) return `more than ${count(seconds / WEEK, 'week')}`;
  if (seconds < 730 * DAY) return `more than ${count(seconds / MONTH, 'month')}`;
  return `more than ${count(seconds / YEAR, 'year')}`;
}

function count(amount: number, unit: string): string {
  const whole = Math.floor(amount);
  return `${String(whole)} ${unit}${whole === 1 ? '' : 's'}`;
}

/** `24 hour`, `7 day`, `90 minute`: the largest unit that divides, singular. A single day counts in hours. */
export function duration(seconds: number): string {
  if (seconds % DAY === 0 && seconds !== DAY && seconds !== 0) return `${String(seconds / DAY)} day`;
  if (seconds % HOUR === 0 && seconds !== 0) return `${String(seconds / HOUR)} hour`;
  if (seconds % MINUTE === 0 && seconds !== 0) return `${String(seconds / MINUTE)} minute`;
  return `${String(seconds)} second`;
}

/** `22%`; `0%` of nothing. */
export function percent(part: number, whole: number): string {
  return `${String(whole === 0 ? 0 : Math.round((100 * part) / whole))}%`;
}

/** `22% (11/50)` */
export function percentOf(part: number, whole: number): string {
  return `${percent(part, whole)} (${String(part)}/${String(whole)})`;
}

/** At most six significant digits, no trailing zeros; exponent form below 1e-6 and from 1e15. */
export function number(value: number): string {
  const rounded = Number(value.toPrecision(6));
  if (Math.abs(rounded) < 1e15) return String(rounded === 0 ? 0 : rounded);
  return rounded.toExponential().replace('e+', 'e');
}

function momentOf(timestamp: number, zone: string): DateTime {
  return DateTime.fromSeconds(timestamp, { zone, locale: 'en-US' });
}

function ordinal(day: number): string {
  const teen = day >= 11 && day <= 13;
  const suffix = teen ? 'th' : (['th', 'st', 'nd', 'rd'][day % 10] ?? 'th');
  return `${String(day)}${suffix}`;
}

/** `1 point`, `2 points`; `many` if the plural is another word. */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${String(count)} ${count === 1 ? one : many}`;

/** Abbreviation of the zone at a moment: `CEST`; if a zone has no letters, its offset, `+03` or `+0545`. */
function zoneAbbreviation(moment: DateTime): string {
  const key = `${moment.zoneName ?? 'UTC'} ${String(moment.offset)} ${String(moment.isInDST)}`;
  const abbreviation = knownAbbreviations.get(key) ?? lookUpAbbreviation(moment);
  knownAbbreviations.set(key, abbreviation);
  return abbreviation;
}

function lookUpAbbreviation(moment: DateTime): string {
  const letters = ZONE_LETTERS[moment.zoneName ?? ''];
  if (letters !== undefined) return letters[moment.isInDST ? 1 : 0];
  for (const locale of ABBREVIATION_LOCALES) {
    const name = moment.setLocale(locale).offsetNameShort ?? '';
    if (/^[A-Z]{2,5}$/.test(name)) return name;
  }
  const offset = moment.toFormat('ZZZ');
  return offset.endsWith('00') ? offset.slice(0, -2) : offset;
}
