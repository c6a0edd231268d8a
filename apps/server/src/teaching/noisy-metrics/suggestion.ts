import { type AnomalyKind } from '#libs/contracts';
import { counted, duration } from '../../common/display/display.js';
import { DAY, HOUR, MINUTE } from '../../common/time.js';
import { type NoisyAnomaly, type Suggestion, type SuggestedTuning } from './noisy-metrics.types.js';

/** Minimum number of anomalies that justifies a setting. */
const MIN_ANOMALIES = 3;
/** Anomalies start at the same time of day if the difference of their starts is at most this, seconds. */
const SAME_TIME_SECONDS = 30 * MINUTE;
const MIN_REPEATS = 3;
/** Shares of the unconfirmed anomalies. */
const MANY = 0.7;
const HALF = 0.5;
const SHORT_STEPS = [5 * MINUTE, 10 * MINUTE, 30 * MINUTE] as const;

const UPWARDS: ReadonlySet<AnomalyKind> = new Set(['spike', 'level_shift_up']);
const DOWNWARDS: ReadonlySet<AnomalyKind> = new Set(['dip', 'level_shift_down']);

/**
 * The suggestion for a noisy metric: train anomalies that recur at the same time of day, exclude those that are only
 * missing data, tune those that are short, in the wrong direction or too frequent. Confirmed anomalies are still found.
 *
 * @param slotSeconds an anomaly lasts to the end of its last slot
 */
export function suggestionFor(
  anomalies: readonly NoisyAnomaly[],
  slotSeconds: number,
  timeOfDay: (timestamp: number) => number,
): Suggestion {
  const wrong = anomalies.filter(({ isConfirmed }) => !isConfirmed);
  const right = anomalies.filter(({ isConfirmed }) => isConfirmed);
  if (anomalies.length < MIN_ANOMALIES || wrong.length < MIN_ANOMALIES) {
    return none(right.length > 0 ? 'Most of what was found here was confirmed.' : 'There is little to do here.');
  }
  if (right.length >= wrong.length) return none('Half or more of what was found here was confirmed.');
  return silence(wrong) ?? repetition(wrong, timeOfDay) ?? tuning(wrong, right, slotSeconds);
}

function silence(wrong: readonly NoisyAnomaly[]): Suggestion | null {
  const missing = wrong.filter(({ kind }) => kind === 'missing_data').length;
  if (missing < MANY * wrong.length) return null;
  const text = `${share(missing, wrong)} were missing data: if it is meant to be silent at times, exclude it from alerting.`;
  return { kind: 'exclude', text, tuning: null };
}

function repetition(wrong: readonly NoisyAnomaly[], timeOfDay: (timestamp: number) => number): Suggestion | null {
  let most: NoisyAnomaly[] = [];
  let usual = 0;
  for (const { start } of wrong) {
    const near = wrong.filter((other) => apart(timeOfDay(other.start), timeOfDay(start)) <= SAME_TIME_SECONDS);
    if (near.length > most.length) [most, usual] = [near, start];
  }
  // Days are counted from the usual time of day, so that midnight does not split them.
  const days = new Set(most.map(({ start }) => Math.round((start - usual) / DAY))).size;
  if (days < MIN_REPEATS || most.length < HALF * wrong.length) return null;
  const text = `${share(most.length, wrong)} began around ${clock(timeOfDay(usual))}, on ${counted(days, 'day')}: train one of them as expected.`;
  return { kind: 'train', text, tuning: null };
}

function tuning(wrong: readonly NoisyAnomaly[], right: readonly NoisyAnomaly[], slotSeconds: number): Suggestion {
  const lasts = ({ start, end, outUntil }: NoisyAnomaly): number =>
    end === null ? Infinity : (outUntil ?? end + slotSeconds) - start;
  for (const seconds of SHORT_STEPS) {
    const short = wrong.filter((anomaly) => lasts(anomaly) < seconds).length;
    if (short < MANY * wrong.length || right.some((anomaly) => lasts(anomaly) < seconds)) continue;
    const text = `${share(short, wrong)} lasted less than ${duration(seconds)}: wait that long before one opens.`;
    return tune(text, { min_duration_seconds: seconds });
  }
  for (const [direction, kinds, others] of [
    ['down', UPWARDS, DOWNWARDS],
    ['up', DOWNWARDS, UPWARDS],
  ] as const) {
    const wrongDirection = wrong.filter(({ kind }) => kinds.has(kind)).length;
    if (wrongDirection < MANY * wrong.length || right.length === 0 || !right.every(({ kind }) => others.has(kind)))
      continue;
    const text = `${share(wrongDirection, wrong)} went ${direction === 'down' ? 'up' : 'down'}, and all confirmed ones ${direction}: look ${direction} only.`;
    return tune(text, { direction });
  }
  const text = `${counted(wrong.length, 'anomaly', 'anomalies')} that were not confirmed: halve the sensitivity, and see in the preview what remains.`;
  return tune(text, { sensitivity: 0.5 });
}

const none = (text: string): Suggestion => ({ kind: 'none', text, tuning: null });
const tune = (text: string, settings: SuggestedTuning): Suggestion => ({ kind: 'tune', text, tuning: settings });
const share = (part: number, whole: readonly unknown[]): string => `${String(part)} of ${String(whole.length)}`;

/** Distance between two times of day, also around midnight. */
function apart(one: number, other: number): number {
  const between = Math.abs(one - other);
  return Math.min(between, DAY - between);
}

function clock(secondOfDay: number): string {
  const two = (number: number): string => String(Math.floor(number)).padStart(2, '0');
  return `${two(secondOfDay / HOUR)}:${two((secondOfDay % HOUR) / MINUTE)}`;
}
