import { DateTime } from 'luxon';
import { TimeReader } from '#libs/protocols';
import { type CallerOrg } from '../../common/auth/caller.js';
import { ValidationFailedError } from '../../common/errors/app-error.js';
import { type WindowInput } from '../../common/window/window.js';
import { BadChipsError, type Chip, parseChips } from '../../data/chips/chips.js';
import { type MetricRef, parseMetricRef } from '../../data/metric-ref/metric-ref.js';
import { type WindowGiven } from './mcp-tool.types.js';
import { givenText } from '../../common/validation/param-message.js';

/** The earliest time that calls of the API accept: 2000-01-01. */
const EARLIEST = 946_684_800;
const CLOCK_SKEW_SECONDS = 60;

/** @throws ValidationFailedError */
export function windowOf({ from, until }: WindowGiven, { timezone }: CallerOrg, now: number): WindowInput {
  const start = timeOf('from', from, timezone);
  if (start !== undefined && start > now + CLOCK_SKEW_SECONDS) throw outOfRange('from', from);
  return { from: start, until: timeOf('until', until, timezone) };
}

function timeOf(field: string, text: string | undefined, zone: string): number | undefined {
  if (text === undefined || text.trim() === '') return undefined;
  const bytes = Buffer.from(text.trim());
  const time = new TimeReader({ timezone: zone, format: null }).read(bytes, 0, bytes.length);
  if (Number.isNaN(time)) {
    const message = `${field} must be a time such as 2026-11-27T08:00:00Z${givenText(field, text)}`;
    throw new ValidationFailedError([{ field, code: 'bad_format', message }]);
  }
  const seconds = Math.floor(time);
  if (seconds < EARLIEST) throw outOfRange(field, text);
  return seconds;
}

function outOfRange(field: string, text: string | undefined): ValidationFailedError {
  const message = `${field} must be a time from 2000-01-01 to now${givenText(field, text)}`;
  return new ValidationFailedError([{ field, code: 'out_of_range', message }]);
}

/** @throws ValidationFailedError */
export function metricOf(text: string): MetricRef {
  const ref = parseMetricRef(text);
  if (ref) return ref;
  const message = `metric must be the name of a metric, or id: and its number${givenText('metric', text)}`;
  throw new ValidationFailedError([{ field: 'metric', code: 'bad_format', message }]);
}

/** @throws ValidationFailedError */
export function chipsOf(filter: readonly string[] | undefined): Chip[] | undefined {
  if (filter === undefined || filter.length === 0) return undefined;
  try {
    return parseChips(filter);
  } catch (error) {
    if (!(error instanceof BadChipsError)) throw error;
    throw new ValidationFailedError([{ field: 'filter', code: error.code, message: `filter ${error.says}` }]);
  }
}

/** RFC 3339 in a time zone: `2026-11-27T09:00:00+01:00`; null stays null. */
export function timeIn(zone: string, seconds: number): string;
export function timeIn(zone: string, seconds: number | null): string | null;
export function timeIn(zone: string, seconds: number | null): string | null {
  if (seconds === null) return null;
  return DateTime.fromSeconds(seconds, { zone }).toISO({ suppressMilliseconds: true });
}

const SIGNIFICANT_DIGITS = 6;

/** Rounds to six significant digits: a model needs no more. */
export function rounded(value: number): number;
export function rounded(value: number | null): number | null;
export function rounded(value: number | null): number | null {
  return value === null ? null : Number(value.toPrecision(SIGNIFICANT_DIGITS));
}

/** @throws ValidationFailedError if none or more than one of the members is given */
export function exactlyOneOf(given: Readonly<Record<string, unknown>>): void {
  const names = Object.keys(given);
  const present = names.filter((name) => given[name] !== undefined);
  if (present.length === 1) return;
  const got = present.length === 0 ? 'none' : present.join(', ');
  const message = `exactly one of ${names.join(', ')} must be given, got ${got}`;
  throw new ValidationFailedError([{ field: names[0]!, code: 'exactly_one', message }]);
}
