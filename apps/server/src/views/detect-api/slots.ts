import { RefusedRequest } from './detect-api.errors.js';

export const GRANULARITIES = [
  'yearly',
  'monthly',
  'weekly',
  'daily',
  'hourly',
  'minutely',
  'secondly',
  'microsecond',
  'none',
] as const;
export type Granularity = (typeof GRANULARITIES)[number];

export const IMPUTE_MODES = ['auto', 'previous', 'linear', 'fixed', 'zero', 'notFill'] as const;
export type ImputeMode = (typeof IMPUTE_MODES)[number];

export interface InputPoints {
  values: Float64Array;
  /** Microseconds since 1970; NaN if a point has none. */
  instants: Float64Array;
}

/** The series in even steps, as the detector requires. */
export interface Slots {
  /** NaN: the step has no value. */
  values: Float64Array;
  /** Unix seconds, evenly spaced. */
  timestamps: Float64Array;
  stepSeconds: number;
  /** The step of each point of the request. */
  rows: Int32Array;
}

interface SlotRules {
  granularity: Granularity;
  customInterval: number;
  imputeMode: ImputeMode;
  imputeFixedValue: number;
}

const SECOND = 1_000_000;
const DAY_SECONDS = 86_400;
const MICROSECONDS_OF = {
  weekly: 7 * DAY_SECONDS * SECOND,
  daily: DAY_SECONDS * SECOND,
  hourly: 3600 * SECOND,
  minutely: 60 * SECOND,
  secondly: SECOND,
  microsecond: 1,
} as const;
/** Maximum number of steps, including filled gaps. */
const MAX_SLOTS = 8640;
/**
 * Step for series without times or with steps shorter than a second: the detector works in seconds. Its thresholds suit
 * ten minutes well.
 */
const STEP_WITHOUT_TIME = 600;

/** Assigns the points to steps of their granularity, and fills gaps. @throws RefusedRequest */
export function slotsOf(points: InputPoints, rules: SlotRules): Slots {
  const rows = rowsOf(points, rules);
  const count = rows.at(-1)! + 1;
  const values = new Float64Array(count).fill(NaN);
  for (const [at, row] of rows.entries()) values[row] = points.values[at]!;
  if (count > rows.length) fill(values, rules);
  const { stepSeconds, firstSeconds } = clockOf(points, rules);
  return {
    values,
    rows,
    stepSeconds,
    timestamps: Float64Array.from({ length: count }, (_, row) => firstSeconds + row * stepSeconds),
  };
}

/** The step of each point, from 0, ascending. */
function rowsOf({ instants }: InputPoints, { granularity, customInterval }: SlotRules): Int32Array {
  const rows = new Int32Array(instants.length);
  if (granularity === 'none') {
    refuseDisorder(instants);
    return rows.map((_, at) => at);
  }
  const first = instants[0]!;
  for (const [at, instant] of instants.entries()) {
    if (Number.isNaN(instant)) {
      throw new RefusedRequest('InvalidSeries', `Point ${String(at)} needs a timestamp with this granularity.`);
    }
    const row = stepsBetween(first, instant, granularity) / customInterval;
    if (!Number.isInteger(row)) {
      throw new RefusedRequest(
        'InvalidSeries',
        `The timestamp of point ${String(at)} is not a whole number of steps after the first one; see 'granularity' and 'customInterval'.`,
      );
    }
    if (at > 0 && row <= rows[at - 1]!) throw disorder(at);
    if (row >= MAX_SLOTS) {
      throw new RefusedRequest('InvalidSeries', `The series spans more than ${String(MAX_SLOTS)} steps.`);
    }
    rows[at] = row;
  }
  return rows;
}

function refuseDisorder(instants: Float64Array): void {
  let newest = -Infinity;
  for (const [at, instant] of instants.entries()) {
    if (Number.isNaN(instant)) continue;
    if (instant <= newest) throw disorder(at);
    newest = instant;
  }
}

function disorder(at: number): RefusedRequest {
  return new RefusedRequest('InvalidSeries', `The timestamp of point ${String(at)} is not later than the one before.`);
}

/** Number of steps of a granularity between two instants; not a whole number if the second is between two steps. */
function stepsBetween(first: number, instant: number, granularity: Exclude<Granularity, 'none'>): number {
  if (granularity !== 'monthly' && granularity !== 'yearly') return (instant - first) / MICROSECONDS_OF[granularity];
  const [from, until] = [new Date(first / 1000), new Date(instant / 1000)];
  const months = 12 * (until.getUTCFullYear() - from.getUTCFullYear()) + until.getUTCMonth() - from.getUTCMonth();
  // A day that a month does not have becomes its last day.
  const lastDay = new Date(Date.UTC(until.getUTCFullYear(), until.getUTCMonth() + 1, 0)).getUTCDate();
  const isSameDay = until.getUTCDate() === Math.min(from.getUTCDate(), lastDay);
  const isSameTime = (instant - first) % (DAY_SECONDS * SECOND) === 0;
  if (!isSameDay || !isSameTime) return NaN;
  return granularity === 'monthly' ? months : months / 12;
}

/**
 * The times for the detector. Steps from a second to a day keep their real times, so that it learns days and weeks.
 * Longer steps become a day each, and steps without times ten minutes: they have no daily pattern.
 */
function clockOf({ instants }: InputPoints, { granularity, customInterval }: SlotRules) {
  const isTimeless = granularity === 'none' || granularity === 'microsecond';
  if (isTimeless) return { stepSeconds: STEP_WITHOUT_TIME, firstSeconds: 0 };
  const isLong = granularity === 'monthly' || granularity === 'yearly';
  const step = isLong ? Infinity : (MICROSECONDS_OF[granularity] / SECOND) * customInterval;
  if (step > DAY_SECONDS) return { stepSeconds: DAY_SECONDS, firstSeconds: 0 };
  return { stepSeconds: step, firstSeconds: Math.floor(instants[0]! / SECOND) };
}

function fill(values: Float64Array, { imputeMode, imputeFixedValue }: SlotRules): void {
  if (imputeMode === 'notFill') return;
  let known = 0;
  for (let row = 1; row < values.length; row++) {
    if (Number.isNaN(values[row]!)) continue;
    const [before, after] = [values[known]!, values[row]!];
    for (let gap = known + 1; gap < row; gap++) {
      const share = (gap - known) / (row - known);
      const between = { previous: before, fixed: imputeFixedValue, zero: 0 };
      values[gap] =
        imputeMode in between ? between[imputeMode as keyof typeof between] : before + share * (after - before);
    }
    known = row;
  }
}
