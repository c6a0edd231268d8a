import { restartShape } from './distribution-shape.js';
import { acceptRangeWidth, lowerRange } from './expected-range.js';
import { acceptForecastLevel, DAY_ALONE, LONG, lowerError, WEEK_SLOW } from './forecasters.js';
import { F } from './layout.js';
import { type Measurement, smallestStep } from './measurement.js';
import {
  acceptSeason,
  forgetSpreads,
  learnSpreadAt,
  SEASON_DAILY,
  SEASON_WEEKLY,
  type SeasonalPoint,
  seasonError,
} from './season.js';
import { acceptRange } from './seen-range.js';
import { lowerSizes } from './sizes.js';
import { type SeriesRecord } from './series-record.js';
import { driftsSteadily } from './steady-drift.js';

const { abs, exp, max, min, sqrt } = Math;

/** Points after which deviations are capped before they are learnt. */
const ROBUST_AFTER = 30;
/** Deviations are learnt up to this many spreads. */
const SPREAD_CAP = 4;
const LEVEL_CAP = 3;
/** Rate of the mean of the last deviations from which the next is forecast. */
const MEMORY_RATE = 0.6;
/** Usual deviations that one point may add to it: an absurd value says nothing of the next. */
const MEMORY_CAP = 50;
/** Slots over which correlations and the share of unchanged steps are learnt. */
const CORRELATION_SLOTS = 500;
/** Days until a long run of equal values is forgotten. */
const RUN_MEMORY_DAYS = 3;
/** Days that level and spread remember, and their bounds in slots: a week of hours at least. */
const LEVEL_DAYS = 2;
const SPREAD_DAYS = 7;
const LEAST_SLOTS = 168;
const MOST_SLOTS = 10_080;

/** What moves with every point, also during an anomaly: short memory that the verdict of the next point starts from. */
export function follow(record: SeriesRecord, measured: Measurement, slotsPerDay: number): void {
  const { f } = record;
  const step = abs(measured.value - f[F.previous]!);
  const isSmallest = step > 0 && step < f[F.quantum]!;
  if (f[F.count]! > 0 && isSmallest) f[F.quantum] = step;
  const lasting = clamp(measured.ownDeviation, max(MEMORY_CAP * measured.spread, abs(f[F.memory]!)));
  f[F.memory] = f[F.memory]! + MEMORY_RATE * (lasting - f[F.memory]!);
  f[F.sustained] = measured.sustained;
  f[F.roughness] = measured.roughness;
  if (measured.run === 1) {
    // A run that was reported counts half: the same again is no news, half as long again is.
    const ended = f[F.open] === 1 ? f[F.run]! / 2 : f[F.run]!;
    f[F.longestRun] = max(f[F.longestRun]!, ended);
  }
  f[F.longestRun] = f[F.longestRun]! * (1 - 1 / (RUN_MEMORY_DAYS * slotsPerDay));
  f[F.run] = measured.run;
  f[F.previous] = measured.value;
}

/** Usual sizes that are learnt alike, and those of the point. In a loop: one place to inline what moves them. */
const SPREADS: readonly F[] = [
  F.levelSpread,
  F.spread,
  F.changeSpread,
  F.evenChangeSpread,
  F.evenDeviationSpread,
  F.sustainedSpread,
  F.roughnessSpread,
];
/** So many of them are in units of the series: they may grow by its smallest step. */
const IN_UNITS = 5;
const sizes = new Float64Array(SPREADS.length);

/** The baseline learns a normal point. */
export function learn(record: SeriesRecord, at: SeasonalPoint, measured: Measurement, slotsPerDay: number): void {
  const { f } = record;
  const n = f[F.count]!;
  const levelRate = rateOf(n, LEVEL_DAYS * slotsPerDay);
  const rate = rateOfSpread(f, slotsPerDay);
  const robust = n >= ROBUST_AFTER;
  const quantum = smallestStep(f);
  const deviation = abs(measured.ownDeviation);

  const fromLevel = measured.value - f[F.level]!;
  const levelCap = robust ? max(LEVEL_CAP * f[F.levelSpread]!, quantum) : Infinity;
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
    f[spread] = moved(f[spread]!, abs(sizes[i]!), rate, robust, i < IN_UNITS ? quantum : 0);
  }
  learnSpreadAt(record, at.dayBucket, deviation);

  const slow = max(1 / (n + 1), 1 / CORRELATION_SLOTS);
  const scale = max(f[F.spread]!, 1e-300);
  const now = clamp(measured.ownDeviation / scale, 6);
  const before = clamp(f[F.memory]! / scale, 6);
  f[F.memoryCovariance] = f[F.memoryCovariance]! + slow * (now * before - f[F.memoryCovariance]!);
  f[F.memoryVariance] = f[F.memoryVariance]! + slow * (before * before - f[F.memoryVariance]!);
  f[F.sameShare] = f[F.sameShare]! + slow * ((measured.run > 1 ? 1 : 0) - f[F.sameShare]!);
  f[F.roughnessLevel] = f[F.roughnessLevel]! + rate * measured.roughnessChange;
}

/** Another expectation came into use: deviations from it are of another size and shape. */
export function restartDeviations(record: SeriesRecord): void {
  const { f } = record;
  // Mean absolute deviation of a normal distribution is 0.8 of its root mean square.
  f[F.spread] = 0.8 * sqrt(seasonError(record));
  f[F.changeSpread] = f[F.spread]!;
  f[F.evenDeviationSpread] = f[F.spread]!;
  f[F.evenChangeSpread] = f[F.spread]!;
  f[F.memory] = 0;
  f[F.frozenMemory] = 0;
  f[F.memoryCovariance] = 0;
  f[F.memoryVariance] = 0;
  f[F.sustained] = 0;
  forgetSpreads(record);
  restartShape(f);
  const judges = f[F.season] === SEASON_WEEKLY ? WEEK_SLOW : f[F.season] === SEASON_DAILY ? DAY_ALONE : LONG;
  lowerError(f, judges, f[F.spread]);
  lowerSizes(record, f[F.spread]);
  lowerRange(f, f[F.spread]);
}

/** An anomaly has ended: its traces in the running means are no sign of another. */
export function calm(f: Float64Array): void {
  f[F.sustained] = 0;
  f[F.roughness] = exp(f[F.roughnessLevel]!) - 0.01;
}

/** While an anomaly is open the baseline stands still; this learns what would replace it. */
export function learnAside(record: SeriesRecord, measured: Measurement): void {
  const { f } = record;
  const rate = max(1 / (1 + f[F.openRun]!), 1 / 120);
  f[F.openRun] = f[F.openRun]! + 1;
  f[F.openLevel] = f[F.openLevel]! + rate * (measured.value - f[F.openLevel]!);
  f[F.openShift] = f[F.openShift]! + rate * (measured.deviation - f[F.openShift]!);
  const spread = abs(measured.deviation - f[F.openShift]);
  f[F.openSpread] = f[F.openSpread]! + rate * (spread - f[F.openSpread]!);
  const change = min(abs(measured.change), spread);
  f[F.openChangeSpread] = f[F.openChangeSpread]! + rate * (change - f[F.openChangeSpread]!);
}

/** The new behaviour, `age` seconds old, is accepted as normal: level, spread and seasonal expectation move to it. */
export function acceptNewNormal(record: SeriesRecord, age: number): void {
  const { f } = record;
  f[F.level] = f[F.openLevel]!;
  acceptSeason(record, f[F.openShift]!, age);
  // The mean of the last hours lags behind a drift.
  acceptForecastLevel(f, driftsSteadily(f) ? f[F.previous]! : f[F.openLevel]!);
  acceptRange(f);
  f[F.spread] = max(f[F.openSpread]!, 1e-300);
  f[F.levelSpread] = f[F.spread]!;
  f[F.changeSpread] = max(f[F.openChangeSpread]!, 1e-300);
  acceptRangeWidth(f, f[F.changeSpread]);
  f[F.evenDeviationSpread] = f[F.spread]!;
  f[F.evenChangeSpread] = f[F.changeSpread]!;
  f[F.memory] = 0;
  f[F.roughnessLevel] = 0;
  forgetSpreads(record);
}

/** Share of a new point: a plain mean at first, then a memory of `slots`. */
function rateOf(n: number, slots: number): number {
  return max(1 / (n + 1), 1 / max(LEAST_SLOTS, min(MOST_SLOTS, slots)));
}

/** Rate at which spreads learn their next size. */
export function rateOfSpread(f: Float64Array, slotsPerDay: number): number {
  return rateOf(f[F.count]!, SPREAD_DAYS * slotsPerDay);
}

/** A usual size, in units of the series, that has learnt one more. */
export function towards(known: number, size: number, rate: number, f: Float64Array): number {
  return moved(known, size, rate, f[F.count]! >= ROBUST_AFTER, smallestStep(f));
}

function moved(known: number, size: number, rate: number, robust: boolean, quantum: number): number {
  return known + rate * ((robust ? min(size, max(SPREAD_CAP * known, quantum)) : size) - known);
}

function clamp(value: number, limit: number): number {
  return value > limit ? limit : value < -limit ? -limit : value;
}
