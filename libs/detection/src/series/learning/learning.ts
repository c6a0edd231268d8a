import { restartShape } from '../expectation/distribution-shape.js';
import { acceptRangeWidth, lowerRange } from '../expectation/expected-range.js';
import { acceptForecastLevel, DAY_ALONE, LONG, lowerError, WEEK_SLOW } from '../expectation/forecasters.js';
import { B, F, P } from '../record/layout.js';
import { type Measurement, smallestStep } from '../expectation/measurement.js';
import { acceptSeason, SEASON_DAILY, SEASON_WEEKLY, seasonError } from '../season/season.js';
import { acceptRange } from '../expectation/seen-range.js';
import { acceptWitness, restartWitness } from '../judgement/season-witness.js';
import { lowerSizes } from '../judgement/sizes.js';
import { type SeriesRecord } from '../record/series-record.js';
import { driftsSteadily } from '../judgement/steady-drift.js';

const { abs, exp, max, min } = Math;

/** Number of points after which deviations are capped before they are learnt. */
const ROBUST_AFTER = 30;
/** Deviations are learnt up to this many spreads. */
const SPREAD_CAP = 4;
const LEVEL_CAP = 3;
/** Rate of the mean of the last deviations from which the next is forecast. */
const MEMORY_RATE = 0.6;
/** Usual deviations that one point may add to the mean: an absurd value is not evidence about the next one. */
const MEMORY_CAP = 50;
/** Number of slots over which correlations and the share of unchanged steps are learnt. */
const CORRELATION_SLOTS = 500;
/** Number of days until a long run of equal values is forgotten. */
const RUN_MEMORY_DAYS = 3;
/** Memory of level and spread in days, and its bounds in slots: at least a week of hourly slots. */
const LEVEL_DAYS = 2;
const SPREAD_DAYS = 7;
const MIN_SLOTS = 168;
const MAX_SLOTS = 10_080;

/**
 * Updates the state that changes with every point, even during an anomaly: the short memory on which the verdict of the
 * next point is based.
 */
export function follow(record: SeriesRecord, measured: Measurement, slotsPerDay: number): void {
  const { f, p, b } = record;
  const step = abs(measured.value - f[F.previous]!);
  const isSmallest = step > 0 && step < p[P.quantum]!;
  if (f[F.count]! > 0 && isSmallest) p[P.quantum] = step;
  const lasting = clamp(measured.ownDeviation, max(MEMORY_CAP * measured.spread, abs(p[P.memory]!)));
  p[P.memory] = p[P.memory]! + MEMORY_RATE * (lasting - p[P.memory]!);
  p[P.sustained] = measured.sustained;
  p[P.roughness] = measured.roughness;
  if (measured.run === 1) {
    // A run that was reported counts half: another one of the same length is not news, but one that is half as long
    // again is.
    const ended = b[B.open] === 1 ? p[P.run]! / 2 : p[P.run]!;
    p[P.longestRun] = max(p[P.longestRun]!, ended);
  }
  p[P.longestRun] = p[P.longestRun]! * (1 - 1 / (RUN_MEMORY_DAYS * slotsPerDay));
  p[P.run] = measured.run;
  f[F.previous] = measured.value;
}

/**
 * Usual sizes that are learnt in the same way, and those of the point. The loop makes the compiler inline the code that
 * moves them only once.
 */
const SPREADS: readonly P[] = [
  P.levelSpread,
  P.spread,
  P.changeSpread,
  P.evenChangeSpread,
  P.evenDeviationSpread,
  P.sustainedSpread,
  P.roughnessSpread,
];
/** Number of these sizes that are in units of the series: they may grow by its smallest step. */
const IN_UNITS = 5;
const sizes = new Float64Array(SPREADS.length);

/** The baseline learns a normal point. */
export function learn(record: SeriesRecord, measured: Measurement, slotsPerDay: number): void {
  const { f, p } = record;
  const n = f[F.count]!;
  const levelRate = rateOf(n, LEVEL_DAYS * slotsPerDay);
  const rate = rateOfSpread(f, slotsPerDay);
  const robust = n >= ROBUST_AFTER;
  const quantum = smallestStep(p);
  const deviation = abs(measured.ownDeviation);

  const fromLevel = measured.value - f[F.level]!;
  const levelCap = robust ? max(LEVEL_CAP * p[P.levelSpread]!, quantum) : Infinity;
  f[F.level] = f[F.level]! + levelRate * clamp(fromLevel, levelCap);
  sizes[0] = fromLevel;
  sizes[1] = deviation;
  sizes[2] = measured.learntChange;
  sizes[3] = measured.evenChange;
  sizes[4] = measured.evenDeviation;
  sizes[5] = measured.sustained;
  sizes[6] = measured.roughnessChange;
  for (let i = 0; i < SPREADS.length; i++) {
    const spread = SPREADS[i]!;
    p[spread] = moved(p[spread]!, abs(sizes[i]!), rate, robust, i < IN_UNITS ? quantum : 0);
  }

  const slow = max(1 / (n + 1), 1 / CORRELATION_SLOTS);
  const scale = max(p[P.spread]!, 1e-300);
  const now = clamp(measured.ownDeviation / scale, 6);
  const before = clamp(p[P.memory]! / scale, 6);
  p[P.memoryCovariance] = p[P.memoryCovariance]! + slow * (now * before - p[P.memoryCovariance]!);
  p[P.memoryVariance] = p[P.memoryVariance]! + slow * (before * before - p[P.memoryVariance]!);
  p[P.sameShare] = p[P.sameShare]! + slow * ((measured.run > 1 ? 1 : 0) - p[P.sameShare]!);
  p[P.roughnessLevel] = p[P.roughnessLevel]! + rate * measured.roughnessChange;
}

/** Another expectation became active: deviations from it have a different size and shape. */
export function restartDeviations(record: SeriesRecord): void {
  const { p, b } = record;
  // The mean absolute deviation of a normal distribution is 0.8 times its root mean square.
  p[P.spread] = 0.8 * seasonError(record);
  p[P.changeSpread] = p[P.spread]!;
  p[P.evenDeviationSpread] = p[P.spread]!;
  p[P.evenChangeSpread] = p[P.spread]!;
  p[P.memory] = 0;
  p[P.frozenMemory] = 0;
  p[P.memoryCovariance] = 0;
  p[P.memoryVariance] = 0;
  p[P.sustained] = 0;
  restartShape(record);
  const judges = b[B.season] === SEASON_WEEKLY ? WEEK_SLOW : b[B.season] === SEASON_DAILY ? DAY_ALONE : LONG;
  lowerError(record, judges, p[P.spread]);
  lowerSizes(record, p[P.spread]);
  lowerRange(record, p[P.spread]);
  restartWitness(record);
}

/** An anomaly has ended: its traces in the running means are not a sign of another. */
export function resetAfterAnomaly({ p }: SeriesRecord): void {
  p[P.sustained] = 0;
  p[P.roughness] = exp(p[P.roughnessLevel]!) - 0.01;
}

/** Learns the baseline that would replace the current one, which is frozen while an anomaly is open. */
export function learnAside(record: SeriesRecord, measured: Measurement): void {
  const { f, p } = record;
  const rate = max(1 / (1 + p[P.openRun]!), 1 / 120);
  p[P.openRun] = p[P.openRun]! + 1;
  f[F.openLevel] = f[F.openLevel]! + rate * (measured.value - f[F.openLevel]!);
  p[P.openShift] = p[P.openShift]! + rate * (measured.deviation - p[P.openShift]!);
  const spread = abs(measured.deviation - p[P.openShift]);
  p[P.openSpread] = p[P.openSpread]! + rate * (spread - p[P.openSpread]!);
  const change = min(abs(measured.change), spread);
  p[P.openChangeSpread] = p[P.openChangeSpread]! + rate * (change - p[P.openChangeSpread]!);
}

/** The new behaviour, `age` seconds old, is accepted as normal: level, spread and seasonal expectation move to it. */
export function acceptNewNormal(record: SeriesRecord, age: number): void {
  const { f, p } = record;
  f[F.level] = f[F.openLevel]!;
  acceptSeason(record, p[P.openShift]!, age);
  // The mean of the last hours lags behind a drift.
  acceptForecastLevel(record, driftsSteadily(p) ? f[F.previous]! : f[F.openLevel]!);
  acceptRange(record);
  acceptWitness(record);
  p[P.spread] = max(p[P.openSpread]!, 1e-300);
  p[P.levelSpread] = p[P.spread]!;
  p[P.changeSpread] = max(p[P.openChangeSpread]!, 1e-300);
  acceptRangeWidth(record, p[P.changeSpread]);
  p[P.evenDeviationSpread] = p[P.spread]!;
  p[P.evenChangeSpread] = p[P.changeSpread]!;
  p[P.memory] = 0;
  p[P.roughnessLevel] = 0;
}

/** Weight of a new point: a plain mean at first, then a memory of `slots`. */
function rateOf(n: number, slots: number): number {
  return max(1 / (n + 1), 1 / max(MIN_SLOTS, min(MAX_SLOTS, slots)));
}

/** Rate at which the next size is learnt by a spread. */
export function rateOfSpread(f: Float64Array, slotsPerDay: number): number {
  return rateOf(f[F.count]!, SPREAD_DAYS * slotsPerDay);
}

/** A usual size, in units of the series, after learning one more. */
export function towards(known: number, size: number, rate: number, record: SeriesRecord): number {
  const { f } = record;
  return moved(known, size, rate, f[F.count]! >= ROBUST_AFTER, smallestStep(record.p));
}

function moved(known: number, size: number, rate: number, robust: boolean, quantum: number): number {
  return known + rate * ((robust ? min(size, max(SPREAD_CAP * known, quantum)) : size) - known);
}

function clamp(value: number, limit: number): number {
  return value > limit ? limit : value < -limit ? -limit : value;
}
