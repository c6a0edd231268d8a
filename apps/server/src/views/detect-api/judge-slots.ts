import { type AnomalyEvent, detectSeries } from '#libs/detection';
import { seededRandom } from '#libs/synthetic';
import { type Baseline, baselineOf, findPeriod, steadySlope } from './baseline.js';
import { type DetectRequest } from './detect-request.js';
import { type Slots } from './slots.js';

/** Results of the detector for each step, and for stretches of steps. */
export interface Judged {
  /** Length of the recurring pattern in rows; 0: none. */
  period: number;
  expected: Float64Array;
  /** Distances from the expectation that are still usual. */
  up: Float64Array;
  down: Float64Array;
  stretches: Stretch[];
}

/** Consecutive anomalous steps; both ends are inclusive. */
export interface Stretch extends Pick<AnomalyEvent, 'kind' | 'severity' | 'score'> {
  first: number;
  last: number;
}

/**
 * Length of the generated history: the detector judges from its hundredth value on, and learns a pattern after several
 * periods.
 */
const MIN_LEARNED = 400;
const LEARNED_PERIODS = 8;
const MAX_LEARNED = 8640;
/** Minimum length of a piece of noise in steps. */
const MIN_PIECE = 12;
/** The median of three weeks is not affected by an anomaly in one of them. */
const MIN_WEEKS = 3;
/** Maximum relative error of a period that is detected in noisy data. */
const ABOUT = 0.03;
/** Two weeks and a day: then the detector has learnt the days of a week. */
const LEARNED_SECONDS = 15 * 86_400;
const WEEK_SECONDS = 604_800;
const DAY_SECONDS = 86_400;
/** Times are shifted by whole weeks, so that none is before 1970, including the learnt history. */
const MOVED_SECONDS = 5000 * WEEK_SECONDS;
/** Number of standard deviations that are usual, for steps that the detector does not judge. */
const USUAL_SCALES = 4;

/**
 * Judges every step with the knowledge of the whole series: the detector first learns a history that is generated from
 * its first `learnFrom` steps (without outliers, level and pattern continued backwards), then processes the steps in
 * order.
 */
export function judgeSlots(
  { values, timestamps, stepSeconds }: Slots,
  request: DetectRequest,
  learnFrom: number,
): Judged {
  const base = values.subarray(0, learnFrom);
  const period = request.period ?? roundPeriod(findPeriod(base), stepSeconds);
  const pattern = patternRows(base.length, period, stepSeconds);
  const baseline = baselineOf(base, pattern);
  const history = historyOf(baseline, pattern, stepSeconds);
  const learnt = history.length;
  const all = new Float64Array(learnt + values.length);
  all.set(history);
  all.set(values, learnt);
  const first = timestamps[0]! + MOVED_SECONDS;
  const times = all.map((_, row) => first + (row - learnt) * stepSeconds);
  const sensitivity = detectorSensitivity(request.sensitivity);
  const verdicts = detectSeries(times, all, {
    type: 'gauge',
    timezone: 'UTC',
    sensitivity,
    periodSeconds: periodSecondsOf(period, stepSeconds, request.period),
  });
  const part = (column: Float64Array): Float64Array => column.subarray(learnt);
  const usual = Math.max((USUAL_SCALES * baseline.scale) / sensitivity, Number.MIN_VALUE);
  const expected = part(verdicts.yhat).map((value, row) =>
    Number.isNaN(value) ? (baseline.expected[Math.min(row, learnFrom - 1)] ?? 0) : value,
  );
  const margin = (edge: number, row: number, sign: 1 | -1): number => {
    const distance = (sign * (edge - expected[row]!)) / sensitivity;
    return distance >= 0 ? distance : usual;
  };
  return {
    period,
    expected,
    up: part(verdicts.upper).map((edge, row) => margin(edge, row, 1)),
    down: part(verdicts.lower).map((edge, row) => margin(edge, row, -1)),
    stretches: stretchesOf(verdicts.anomalies, first, stepSeconds, values.length),
  };
}

/**
 * Converts the sensitivity 0..99 of the retired service to that of the detector, a factor on the evidence: 0.25 at 0, 1
 * at 95 (the usual value of clients, and the default), 4 at 99; increasing in between.
 */
export function detectorSensitivity(sensitivity: number): number {
  return sensitivity <= 95 ? 4 ** (sensitivity / 95 - 1) : 4 ** ((sensitivity - 95) / 4);
}

/**
 * Generates the steps before the first one: level and pattern continue backwards, and pieces of the residuals are added
 * as noise. Pieces preserve the order of neighbours, and only the pattern recurs.
 */
function historyOf({ level, expected, residuals }: Baseline, pattern: number, stepSeconds: number): Float64Array {
  const slope = steadySlope(level);
  const start = level[0]!;
  const wanted = Math.max(MIN_LEARNED, LEARNED_PERIODS * pattern, Math.ceil(LEARNED_SECONDS / stepSeconds));
  const count = Math.min(MAX_LEARNED, wanted);
  const random = seededRandom(count);
  const rows = residuals.length;
  const length = Math.min(rows, Math.max(MIN_PIECE, Math.round(Math.sqrt(rows))));
  let piece = 0;
  return Float64Array.from({ length: count }, (_, at) => {
    if (at % length === 0) piece = Math.floor(random() * (rows - length + 1));
    const row = at - count;
    const phase = pattern === 0 ? 0 : ((row % pattern) + pattern) % pattern;
    const recurring = pattern === 0 ? 0 : expected[phase]! - level[phase]!;
    return start + slope * row + recurring + residuals[piece + (at % length)]!;
  });
}

/**
 * Length of the pattern that is continued: the week if the series contains enough weeks and the period divides it,
 * otherwise the period.
 */
function patternRows(count: number, period: number, stepSeconds: number): number {
  const week = WEEK_SECONDS / stepSeconds;
  const isWeek = period > 0 && Number.isInteger(week) && week % period === 0 && MIN_WEEKS * week <= count;
  return isWeek ? week : period;
}

/** Rounds a period that is close to a day or a week. */
function roundPeriod(period: number, stepSeconds: number): number {
  for (const seconds of [DAY_SECONDS, WEEK_SECONDS]) {
    const rows = seconds / stepSeconds;
    if (Number.isInteger(rows) && Math.abs(period - rows) <= ABOUT * rows) return rows;
  }
  return period;
}

/** Undefined: the detector finds the day and the week without a hint. */
function periodSecondsOf(period: number, stepSeconds: number, given: number | null): number | undefined {
  const seconds = period * stepSeconds;
  if (seconds === DAY_SECONDS || seconds === WEEK_SECONDS) return undefined;
  return period === 0 && given === null ? undefined : seconds;
}

/** The latest state of each anomaly that started within the steps. Missing data does not count. */
function stretchesOf(events: readonly AnomalyEvent[], first: number, stepSeconds: number, count: number): Stretch[] {
  const byStart = new Map<number, AnomalyEvent>();
  for (const event of events) byStart.set(event.startTimestamp, event);
  const rowOf = (time: number): number => Math.round((time - first) / stepSeconds);
  return [...byStart.values()]
    .filter(({ startTimestamp, kind }) => startTimestamp >= first && kind !== 'missing_data')
    .map(({ kind, severity, score, startTimestamp, endTimestamp }) => ({
      ...{ kind, severity, score },
      first: rowOf(startTimestamp),
      last: endTimestamp === null ? count - 1 : Math.min(count - 1, rowOf(endTimestamp)),
    }));
}
