import { type Schema } from '../../lib/api';
import { rangeText as writtenRange } from '../../lib/numbers';
import { durationText, timeText } from '../../lib/time';
import { texts } from './anomaly.texts';

export type AnomalyRecord = Schema<'AnomalyDto'>;

/** `2.1 to 2.6 s`; one number if both have the same text; null if one is missing. */
export function rangeText(low: number | null, high: number | null, unit: string | null): string | null {
  return low === null || high === null ? null : writtenRange(low, high, unit);
}

/** The smallest and largest value from `from` until before `until` (null: to the end); null if there is none. Unix seconds. */
export function valuesBetween(
  timestamps: readonly number[],
  values: readonly (number | null)[],
  from: number,
  until: number | null,
): { low: number; high: number } | null {
  let low = Infinity;
  let high = -Infinity;
  for (const [i, timestamp] of timestamps.entries()) {
    const value = values[i];
    if (typeof value !== 'number' || timestamp < from || timestamp >= (until ?? Infinity)) continue;
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  return low <= high ? { low, high } : null;
}

/** The season that the detector compares with, according to its reasons: the time of day or week, or another period. */
function seasonOf(anomaly: AnomalyRecord): 'day' | 'week' | 'weekday' | 'period' | null {
  const text = anomaly.explanation.map((item) => item.text).join(' ');
  if (text.includes('day of the week')) return 'weekday';
  if (text.includes('time of the week')) return 'week';
  if (text.includes('point of its period')) return 'period';
  return text.includes('time of day') ? 'day' : null;
}

const LONGEST_NAME = 60;

/** The name of a metric without its labels; long names are replaced, because they would fill the title. */
function shortName(metric: string): string {
  const name = metric.split('{', 1)[0]!;
  return name === '' || name.length > LONGEST_NAME ? texts.it : name;
}

export interface SentenceParts {
  anomaly: AnomalyRecord;
  /** Range of the values during the anomaly; null while they are loading or if there are none. */
  valueRange: { low: number; high: number } | null;
  /** The series is never negative, so neither are its expected values. */
  isNeverNegative?: boolean;
  unit: string | null;
  zone: string;
  /** Unix seconds. */
  now: number;
}

/** The event, its time, and the expected values, in one sentence. */
export function sentenceOf({ anomaly, valueRange, isNeverNegative = false, unit, zone, now }: SentenceParts): string {
  const { kind, timestamp, out_until_timestamp: until } = anomaly;
  const lasted = durationText((until ?? now) - timestamp);
  const when =
    until === null
      ? texts.since(timeText(timestamp, zone, now))
      : until === timestamp
        ? texts.at(timeText(timestamp, zone, now))
        : texts.fromUntil(timeText(timestamp, zone, now), untilText(timestamp, until, zone, now), lasted);
  const isOpen = until === null;
  const it = shortName(anomaly.metric);
  if (kind === 'missing_data') return texts.missing(it, isOpen, when, pace(anomaly));
  const low = valueRange?.low ?? anomaly.value ?? anomaly.peak_value;
  const high = valueRange?.high ?? anomaly.peak_value ?? anomaly.value;
  const values = rangeText(low === null || high === null ? low : Math.min(low, high), maxOf(low, high), unit);
  const usual = expectedText(anomaly, isNeverNegative, unit);
  const expected = usual === null ? '.' : texts.expected(usual, timeOfSeason(anomaly, zone));
  if (values === null) return texts.unknown(it, when) + expected;
  if (kind === 'flatline') return texts.flat(it, isOpen, values, when) + expected;
  if (kind === 'variance_change') return texts.restless(it, isOpen, values, when) + expected;
  return texts.level(it, isOpen, values, when) + expected;
}

/**
 * The expected values: the range, or the usual value of this time of day, which the range around the values does not
 * contain.
 */
export function expectedText(anomaly: AnomalyRecord, isNeverNegative: boolean, unit: string | null): string | null {
  const usual = anomaly.explanation.find(({ test }) => test === 'time_of_day')?.expected ?? null;
  if (usual !== null) return texts.about(rangeText(usual, usual, unit) ?? '');
  return rangeText(lowerOf(anomaly, isNeverNegative), anomaly.expected_range_upper, unit);
}

/** The lower bound of the expected range. */
function lowerOf(anomaly: AnomalyRecord, isNeverNegative: boolean): number | null {
  const { expected_range_lower: lower } = anomaly;
  return lower !== null && isNeverNegative ? Math.max(0, lower) : lower;
}

const maxOf = (one: number | null, other: number | null): number | null =>
  one === null || other === null ? other : Math.max(one, other);

/** The day is written once if both times are on the same day. */
function untilText(from: number, until: number, zone: string, now: number): string {
  const text = timeText(until, zone, now);
  const day = timeText(from, zone, now).slice(0, -5);
  return day !== '' && text.startsWith(day) ? text.slice(-5) : text;
}

/** The usual interval of points. */
function pace(anomaly: AnomalyRecord): string | null {
  const seconds = anomaly.explanation.find(({ test }) => test === 'silence')?.expected ?? null;
  return seconds === null ? null : durationText(seconds);
}

function timeOfSeason(anomaly: AnomalyRecord, zone: string): string {
  const season = seasonOf(anomaly);
  if (season === null) return '';
  if (season === 'day') return texts.atThisTime;
  if (season === 'period') return texts.atThisPoint;
  const day = new Intl.DateTimeFormat('en-GB', { weekday: 'long', timeZone: zone }).format(anomaly.timestamp * 1000);
  return season === 'weekday' ? texts.onWeekdays(day) : texts.onDays(day);
}

/** The number of anomalies of its kind in the observed period. Null if less than a day is observed. */
export function countText(kind: AnomalyRecord['kind'], count: number, observedSeconds: number): string | null {
  if (kind === null || count < 1 || observedSeconds < 86_400) return null;
  if (count === 1) return texts.only(kind, durationText(observedSeconds));
  return texts.countOfKind(kind, count, durationText(observedSeconds));
}

/**
 * The window in which an anomaly is shown: six times its duration, at least an hour, including time before it. Unix
 * seconds.
 */
export function windowAround(
  { timestamp, until_timestamp: until }: Pick<AnomalyRecord, 'timestamp' | 'until_timestamp'>,
  now: number,
): { from: number; until: number } {
  const end = until ?? now;
  const total = Math.max(3600, 6 * (end - timestamp));
  const rest = total - (end - timestamp);
  const last = Math.min(now, end + rest * 0.3);
  return { from: Math.floor(last - total), until: Math.ceil(last) };
}

/** The items of the explanation that are reasons, without those that the page shows elsewhere. */
export function reasonsOf(anomaly: AnomalyRecord): string[] {
  return anomaly.explanation
    .filter(({ test }) => !['counterfactual', 'look_alike', 'rarity'].includes(test))
    .map(({ text }) => text);
}

export function textOf(anomaly: AnomalyRecord, test: 'counterfactual' | 'look_alike' | 'rarity'): string | null {
  return anomaly.explanation.find((item) => item.test === test)?.text ?? null;
}

/** The earlier anomaly that a text identifies by its time; null if it is not among them. */
export function lookAlikeAmong<Earlier extends { id: number | null; timestamp_string: string; timestamp: number }>(
  text: string,
  anomaly: { timestamp: number },
  earlier: readonly Earlier[],
): Earlier | null {
  return (
    earlier.find(
      (other) => other.id !== null && other.timestamp < anomaly.timestamp && text.includes(other.timestamp_string),
    ) ?? null
  );
}
