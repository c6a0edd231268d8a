import {
  AWAY_FROM_LEVEL,
  EVIDENCE_NAMES,
  MISSED,
  ROW,
  TEN_ROWS,
  THIRTY_ROWS,
  THREE_ROWS,
  UNLIKE_SEASON,
} from './evidence.js';
import { LOWEST_BAR } from './false-alarm-budget.js';
import { type Forecasters } from '../expectation/forecasters.js';
import { B, F, P, W } from '../record/layout.js';
import * as layout from '../record/layout.js';
import { smallestStep } from '../expectation/measurement.js';
import { type SeasonalPoint } from '../season/season.js';
import { resetWitnessAfterAnomaly, SeasonWitness } from './season-witness.js';
import { type SeriesRecord } from '../record/series-record.js';
import { fitUnit, keepShift, keepSize, shiftAt, sizeAt } from '../record/size-cells.js';

const { HOUR_ERRORS_AT, HOURS_OF_DAY, LAST_SHIFTS, LAST_SHIFTS_AT, LAST_SIZES, LAST_SIZES_AT } = layout;
const { abs, floor, LN10, log, max, min, pow, sqrt } = Math;

/**
 * Size of the evidence of a point by the tails of the series itself: chance reaches size 1 about once in months. Sizes
 * are compared with streaming quantiles of the errors of the forecaster that judges, at this hour of the day.
 */

const DAY_SECONDS = 86_400;
const FIRST_ROWS = 30;
const MIN_ROWS_A_DAY = 9;
/** Number of rows until the outer quantile is fully trusted. */
const TRUSTED_ROWS = 3000;
/** For an exponential tail, the 99 % quantile is this many times the 90 % quantile, less what the estimate loses. */
const OUTER_OVER_INNER = 1.57;
const MIN_OUTER_SHARE = 0.5;
/** Limit in 99 % sizes: one row in 4 × 10^8 of an exponential tail exceeds it. */
const LIMIT = 4.31;
/**
 * Below the first ratio of outer to inner quantile a tail becomes lighter, up to a normal tail at this ratio less the
 * second value.
 */
const LIGHT_TAIL = 1.7;
const LIGHTEST_BY = 0.15;
/**
 * Size that one row in 1,000 exceeds over the size that one in 100 exceeds, for an exponential tail, and how much
 * smaller it is for a normal one.
 */
const EXPONENTIAL_TAIL = 1.5;
const LESS_IF_LIGHT = 0.22;
/** Number of rows until the observed ratio is trusted: four exceedances of 1 in 1,000. */
const TRUSTED_TAIL_ROWS = 4000;
/**
 * Bounds of the factor between the distances that two successive powers of ten of rarity add: for normal tails, and for
 * Pareto tails with exponent 3.
 */
const MIN_GROWTH = 0.8;
const MAX_GROWTH = 2.2;
/**
 * Means of many rows have lighter tails than rows: their limits are raised by a factor that is this many times smaller.
 */
const LIGHTER_MEANS = 1.5;
/** Number of days in which chance reaches the lowest bar once, by the tail. */
const TAIL_DAYS = 400;
/** Minimum share of the limit of an exponential tail. */
const MIN_TAIL = 0.93;
/**
 * Steps of the logarithm of the ratio in `P.tail` if a size exceeds it, late and early, and rows that separate two
 * exceedances: a lasting deviation counts once.
 */
const TAIL_STEP = 0.02;
const FIRST_TAIL_STEPS = 200;
const MAX_TAIL_STEP = 0.2;
const TAIL_APART_ROWS = 10;
/** Cap of one row in the mean of three, in limits of an exponential tail: rare rows of a heavy tail are isolated. */
const ONE_OF_THREE = 0.7;
/** The limit is higher while few rows are known. */
const YOUNG_ROWS = 90;
/** Share of the rows of a day that a limit refers to: series with fewer rows a day have a lower limit. */
const DAILY_SHARE = 0.002;
const OF_MINUTES = log(1440 / DAILY_SHARE);
/** Minimum 99 % size, as a share of the seen range. */
const MIN_OF_RANGE = 0.0156;
/** Maximum of that minimum size, in mean sizes: one absurd value must not blind the detector. */
const MIN_OF_MEAN = 4;
/** Weights of the mean of three rows, of ten and thirty, and of the distance from the level. */
export const THREE_WEIGHT = 2;
const SHIFT_WEIGHT = 0.8;
const LONG_SHIFT_WEIGHT = 1.2;
const SLOW_WEIGHT = 0.208;
/**
 * Usual error of a level, as a multiple of that of the best forecast, from which distances from the level count less.
 */
const DRIFTS = 3;
const SHIFT_ROWS = 10;
/** Share of a mean by which the row itself must deviate, on the same side. */
const STILL_AWAY = 0.25;
/**
 * Number of rows before the longer means count, and at least a day: a series that drifts on its first day may drift
 * every day.
 */
const SHIFT_AFTER = 150;
const LONG_SHIFT_AFTER = 300;
/** Steps of the quantiles, in mean sizes, early and late; a quarter while an anomaly is open. */
const OUTER_STEP = 0.005;
const FIRST_OUTER_STEPS = 20;
/**
 * An outer quantile of more than this many inner ones has hardly been reached in recent rows: it moves faster by the
 * square of the excess, up to the second factor.
 */
const ODD_TAIL = 3;
const MAX_SPEED_UP = 10;
/**
 * Number of consecutive rows beyond the outer quantile that move it: a lasting deviation is one event and not a tail.
 */
const OUTER_ROWS = 3;
const INNER_STEP = 0.01;
const FIRST_INNER_STEPS = 2.5;
const OPEN_SHARE = 0.25;
/** Limit of the effect of one point on a usual error, in usual errors. */
const ERROR_CAP = 5;
const ERROR_BEYOND_CAP = 0.02;
const MAX_ERRORS = 1000;
const MEAN_ROWS = 4000;
const MEAN_CAP = 10;
/** Quantiles of a normal distribution in mean absolute values. */
const INNER_OF_MEAN = 2.06;
const OUTER_OF_MEAN = 3.23;
/** Bounds of the scale of an hour. */
const MIN_SCALE = 0.6;
const MAX_SCALE = 4;
/**
 * A series that changes in a smaller share of rows, in total and recently, is mostly still: counts that are mostly
 * zero.
 */
const STILL_SHARE = 0.5;
const MONTH_DAYS = 30;
const TINY = 1e-300;

/** Sizes of one point; scratch of a detector. */
export class Sizes {
  /** The evidence of the point, by the positions of EVIDENCE_NAMES, 1 at the limit. */
  readonly shown = new Float64Array(EVIDENCE_NAMES.length);
  /** The largest of it, its kind, and its side. */
  largest = 0;
  which = ROW;
  side = 1;
  /** The evidence of the day or the week alone. */
  readonly witness = new SeasonWitness();
  /** Distance from the expectation. */
  distance = 0;
  /** The largest evidence of the row, without evidence from before the last three rows. */
  ofNow = 0;
  /** The largest evidence without the witness: a lasting deviation must also be far out for the judge. */
  ofRows = 0;
  /** True if the largest evidence is that an expected value is missing. */
  isMissed = false;
  /** Distance from the expectation with size 1. */
  limit = Infinity;
  /** Distance that one row in 100 exceeds. */
  outer = Infinity;
  /** Scale of sizes at this hour, and its square root, the scale of the drawn range. */
  private scale = 1;
  hour = 1;
  private size = 0;
  /** The size that one row in 100 exceeds, as far as the number of rows allows. */
  private usual = 0;
  private mean10 = 0;
  private mean30 = 0;
  private slow = 0;
  /** The factor by which reaching a size by chance is harder at this number of rows a day than at a row a minute. */
  private rowsADay = 0;
  private harder = 1;
  /** Powers of ten between one row in 100 and one in TAIL_DAYS. */
  private powers = 0;

  /** Computes the scale, which is known before the value. */
  expect(record: SeriesRecord, { localSeconds }: SeasonalPoint): void {
    const root = sqrt(hourRatio(record, localSeconds));
    this.scale = root * sqrt(root);
    this.hour = sqrt(this.scale);
  }

  take(record: SeriesRecord, at: SeasonalPoint, forecasters: Forecasters): void {
    const { f, p } = record;
    const n = f[F.count]! + 1;
    const { residual, best, shift, slow, value } = forecasters;
    const rowsADay = max(MIN_ROWS_A_DAY, DAY_SECONDS / max(at.resolution, 1));
    const { scale } = this;
    const size = (this.size = abs(residual) / scale);
    this.updateMeans(record, forecasters);
    p[LAST_SIZES_AT + ((n | 0) % LAST_SIZES)] = residual / scale;
    let three = 0;
    let signedThree = 0;
    for (let i = LAST_SIZES_AT; i < LAST_SIZES_AT + LAST_SIZES; i++) {
      three += abs(p[i]!);
      signedThree += p[i]!;
    }
    three /= LAST_SIZES;
    this.slow = abs(value - forecasters.forecasts[slow]!);

    if (rowsADay !== this.rowsADay) {
      this.rowsADay = rowsADay;
      this.harder = log(rowsADay / DAILY_SHARE) / OF_MINUTES;
      this.powers = log(0.01 * TAIL_DAYS * rowsADay) / LN10;
    }
    const { harder } = this;
    const factor = LIMIT * harder * (1 + YOUNG_ROWS / n);
    const outer = p[P.size99]!;
    const trust = n / (n + TRUSTED_ROWS);
    const usual = trust * outer + (1 - trust) * max(OUTER_OVER_INNER * p[P.size90]!, MIN_OUTER_SHARE * outer);
    const least = min(MIN_OF_RANGE * (f[F.highest]! - f[F.lowest]!), MIN_OF_MEAN * p[P.sizeMean]!) + TINY;
    const rare = largestRareStep(p, rowsADay);
    // The rarity of a step does not depend on the hour: if rows are mostly constant, the usual error of the hour means
    // little.
    const outerOverInner = outer / (p[P.size90]! + TINY);
    const light = trust * max(0, min(1, (LIGHT_TAIL - outerOverInner) / LIGHTEST_BY));
    this.usual = max(usual, TINY);
    const tail = this.tailFactor(p, n, light);
    const tailOfMeans = max(1, tail / LIGHTER_MEANS);
    const plain = max(usual * factor, least * factor, rare / min(1, scale), smallestStep(p));
    const limit = max(usual * factor * tail, least * factor, rare / min(1, scale), smallestStep(p));
    this.limit = limit * scale;
    this.outer = this.limit / (LIMIT * harder);

    const { shown } = this;
    shown[ROW] = size / limit;
    shown[THREE_ROWS] = (THREE_WEIGHT * three) / limit;
    if (tail > 1) {
      let capped = 0;
      for (let i = LAST_SIZES_AT; i < LAST_SIZES_AT + LAST_SIZES; i++) capped += min(abs(p[i]!), ONE_OF_THREE * plain);
      shown[THREE_ROWS] = max(shown[THREE_ROWS], (THREE_WEIGHT * capped) / LAST_SIZES / plain);
    }
    let which = shown[THREE_ROWS] > shown[ROW] ? THREE_ROWS : ROW;
    // If part of it is explained in this row, it has the side of the rows before it.
    let signed = which === THREE_ROWS ? (signedThree * scale) / LAST_SIZES : residual;
    const { missed } = forecasters;
    shown[MISSED] = missed === 0 ? 0 : abs(missed) / max(this.limit, forecasters.missedLimit);
    if (shown[MISSED] > shown[which]!) {
      which = MISSED;
      signed = missed;
    }
    // If the level drifts, a distance from it means little.
    const steady = min(1, DRIFTS * likeness(p, best, forecasters.levelOf));
    shown[TEN_ROWS] =
      n > max(SHIFT_AFTER, rowsADay) && abs(this.mean10) > rare / 2 && isStill(this.mean10, shift)
        ? (steady * SHIFT_WEIGHT * abs(this.mean10)) / (max(0.31 * least, p[P.size10]!) * factor * tailOfMeans)
        : 0;
    if (shown[TEN_ROWS] > shown[which]!) {
      which = TEN_ROWS;
      signed = this.mean10;
    }
    shown[THIRTY_ROWS] =
      n > max(LONG_SHIFT_AFTER, rowsADay) && abs(this.mean30) > rare / 3 && isStill(this.mean30, shift)
        ? (steady * LONG_SHIFT_WEIGHT * abs(this.mean30)) / (max(0.19 * least, p[P.size30]!) * factor * tailOfMeans)
        : 0;
    if (shown[THIRTY_ROWS] > shown[which]!) {
      which = THIRTY_ROWS;
      signed = this.mean30;
    }
    // Distances from the level count as far as levels predict as well as the forecaster that judges.
    const ratio = likeness(p, best, slow);
    const ofInner = max(OUTER_OVER_INNER, outerOverInner);
    const usualSlow = max(least, ofInner * p[P.slow90]!, MIN_OUTER_SHARE * outer, rare);
    shown[AWAY_FROM_LEVEL] =
      (SLOW_WEIGHT * abs(forecasters.slowResidual) * ratio * ratio * sqrt(ratio)) / (usualSlow * harder * tail);
    if (shown[AWAY_FROM_LEVEL] > shown[which]!) {
      which = AWAY_FROM_LEVEL;
      signed = forecasters.slowResidual;
    }
    this.ofRows = shown[which]!;
    this.witness.take(record, at, forecasters, harder);
    shown[UNLIKE_SEASON] = this.witness.evidence;
    if (shown[UNLIKE_SEASON] > shown[which]!) {
      which = UNLIKE_SEASON;
      signed = this.witness.distance;
    }
    this.which = which;
    this.ofNow = max(shown[ROW], shown[THREE_ROWS], shown[MISSED], shown[AWAY_FROM_LEVEL]);
    this.largest = shown[which]!;
    this.isMissed = which === MISSED;
    this.side = signed < 0 ? -1 : 1;
    this.distance = abs(signed);
  }

  /**
   * Ratio of the limit to that of an exponential tail: the limit is the size that the tail of the series reaches once
   * in TAIL_DAYS. It is extrapolated from the ratio of the size of one row in 1,000 to that of one in 100; each further
   * power of ten adds a distance that changes by the same factor.
   */
  private tailFactor(p: Float32Array, n: number, light: number): number {
    const usual = EXPONENTIAL_TAIL - LESS_IF_LIGHT * light;
    const tail = usual + (n / (n + TRUSTED_TAIL_ROWS)) * (p[P.tail]! - usual);
    const growth = max(MIN_GROWTH, min(MAX_GROWTH, tail / EXPONENTIAL_TAIL));
    const { powers } = this;
    const reach = abs(growth - 1) > 0.001 ? (pow(growth, powers) - 1) / (growth - 1) : powers;
    return max(MIN_TAIL, (1 + (tail - 1) * reach) / (LOWEST_BAR * LIMIT * this.harder));
  }

  /**
   * Learns the size of one row in 1,000 over the usual size of one in 100. Exceedances that are close together count
   * once; trouble is not learnt.
   */
  private learnTail({ w, p }: SeriesRecord, n: number): void {
    const step = max(TAIL_STEP, min(MAX_TAIL_STEP, FIRST_TAIL_STEPS / n));
    const isBeyond = this.size > p[P.tail]! * this.usual;
    const isNew = isBeyond && n - w[W.tailRow]! > TAIL_APART_ROWS;
    if (isBeyond) w[W.tailRow] = n;
    p[P.tail] = isNew ? p[P.tail]! * (1 + step) : max(1, p[P.tail]! * (1 - step / 1000));
  }

  /** An anomaly has ended: its traces in the means of the last rows are not a sign of another. */
  resetAfterAnomaly(record: SeriesRecord): void {
    const { f, p } = record;
    p.fill(0, LAST_SIZES_AT, LAST_SIZES_AT + LAST_SIZES);
    record.h.fill(0, LAST_SHIFTS_AT, LAST_SHIFTS_AT + LAST_SHIFTS);
    f[F.shiftSum] = f[F.shiftSum10] = 0;
    resetWitnessAfterAnomaly(record);
  }

  learn(record: SeriesRecord, at: SeasonalPoint, { residual }: Forecasters, isTrouble: boolean): void {
    const { f, p, b } = record;
    const n = f[F.count]! + 1;
    const { size, slow } = this;
    p[P.sizeMean] = meanOf(p[P.sizeMean]!, size, n);
    p[P.slowMean] = meanOf(p[P.slowMean]!, slow, n);
    if (n < FIRST_ROWS) {
      p[P.size99] = p[P.size10] = p[P.size30] = max(p[P.size99]!, size);
      p[P.size90] = 0.6 * p[P.size99];
      p[P.tail] = EXPONENTIAL_TAIL;
      p[P.slow90] = max(p[P.slow90]!, 0.6 * slow);
    } else {
      const share = b[B.open] === 1 ? OPEN_SHARE : 1;
      const relative = max(OUTER_STEP, FIRST_OUTER_STEPS / n) * share;
      const outer = relative * p[P.sizeMean];
      // In a drift, means are many times as large as single rows; in counts that are mostly zero, rare sizes are. Steps
      // are therefore proportional to the quantile itself.
      const own = relative / OUTER_OF_MEAN;
      // Each row within this quantile lowers it by only a hundredth of a step: the effect of an early anomaly must not
      // stay for weeks.
      const odd = p[P.size99]! / (ODD_TAIL * p[P.size90]! + TINY);
      const outermost = max(outer, relative * p[P.size99]!) * max(1, min(MAX_SPEED_UP, odd * odd));
      b[B.outerRun] = size > p[P.size99]! ? min(OUTER_ROWS, b[B.outerRun]!) + 1 : 0;
      const inner = max(INNER_STEP, FIRST_INNER_STEPS / n) * share;
      if (b[B.outerRun] <= OUTER_ROWS) p[P.size99] = quantile(p[P.size99]!, size, outermost, 0.99);
      if (!isTrouble && b[B.open] !== 1) this.learnTail(record, n);
      p[P.size90] = quantile(p[P.size90]!, size, inner * p[P.sizeMean], 0.9);
      p[P.slow90] = quantile(p[P.slow90]!, slow, inner * p[P.slowMean], 0.9);
      p[P.size10] = quantile(p[P.size10]!, abs(this.mean10), max(outer, own * p[P.size10]!), 0.99);
      p[P.size30] = quantile(p[P.size30]!, abs(this.mean30), max(outer, own * p[P.size30]!), 0.99);
    }
    const error = abs(residual);
    const mean = p[P.errorMean]!;
    const hour = HOUR_ERRORS_AT + hourOf(at.localSeconds);
    const before = sizeAt(record, hour);
    const known = before || mean || error;
    const rate = max(0.002, min(0.2, (0.1 * at.resolution) / 3600));
    keepSize(record, hour, before === 0 ? known : before + rate * (capped(error, known, n) - before));
    p[P.errorMean] = mean + max(1 / n, 1 / 3000) * (capped(error, mean, n) - mean);
    fitUnit(record, p[P.errorMean]);
  }

  /**
   * Means of the last ten and thirty distances from the level; sums are recomputed once per round, so that rounding
   * errors do not accumulate.
   */
  private updateMeans(record: SeriesRecord, { shift }: Forecasters): void {
    const { f } = record;
    const row = ((f[F.count]! | 0) + 1) % LAST_SHIFTS;
    const ago = (row + LAST_SHIFTS - SHIFT_ROWS) % LAST_SHIFTS;
    const left = shiftAt(record, row);
    keepShift(record, row, shift);
    const kept = shiftAt(record, row);
    f[F.shiftSum] = f[F.shiftSum]! + kept - left;
    f[F.shiftSum10] = f[F.shiftSum10]! + kept - shiftAt(record, ago);
    if (row === 0) {
      let sum = 0;
      let sum10 = kept;
      for (let i = 0; i < LAST_SHIFTS; i++) {
        const one = shiftAt(record, i);
        sum += one;
        if (i > LAST_SHIFTS - SHIFT_ROWS) sum10 += one;
      }
      f[F.shiftSum] = sum;
      f[F.shiftSum10] = sum10;
    }
    this.mean10 = f[F.shiftSum10] / SHIFT_ROWS;
    this.mean30 = f[F.shiftSum] / LAST_SHIFTS;
  }
}

/**
 * Another expectation became active, with this mean error: sizes are at most those of a normal distribution around it.
 */
export function lowerSizes(record: SeriesRecord, error: number): void {
  const { p } = record;
  p[P.sizeMean] = min(p[P.sizeMean]!, error);
  p[P.size90] = min(p[P.size90]!, INNER_OF_MEAN * error);
  p[P.size99] = min(p[P.size99]!, OUTER_OF_MEAN * error);
  if (p[P.errorMean]! <= error) return;
  p[P.errorMean] = error;
  for (let i = HOUR_ERRORS_AT; i < HOUR_ERRORS_AT + HOURS_OF_DAY; i++)
    keepSize(record, i, min(sizeAt(record, i), error));
}

/** Learns the number and the mean size of the changes of a series that is mostly still. Call it for every point. */
export function learnMoves({ f, p }: SeriesRecord, value: number): void {
  const n = f[F.count]! + 1;
  const step = n === 1 ? 0 : abs(value - f[F.previous]!);
  p[P.moveShare] = p[P.moveShare]! + max(1 / n, 1 / 5000) * ((step > 0 ? 1 : 0) - p[P.moveShare]!);
  if (step === 0) return;
  const known = (p[P.moveRows] = p[P.moveRows]! + 1);
  p[P.moveSize] = p[P.moveSize]! + max(1 / known, 1 / 200) * (step - p[P.moveSize]!);
}

/**
 * For a series that is mostly still: the step that it makes about once a month if step sizes are exponentially
 * distributed; else 0.
 */
function largestRareStep(p: Float32Array, rowsADay: number): number {
  const share = p[P.moveShare]!;
  if (max(share, 1 - p[P.sameShare]!) >= STILL_SHARE || share === 0) return 0;
  return p[P.moveSize]! * log(max(3, MONTH_DAYS * rowsADay * share));
}

/**
 * Usual error of the best forecaster over that of a level: 1 if a level predicts as well, near 0 if it predicts much
 * worse.
 */
function likeness(p: Float32Array, best: number, slow: number): number {
  const level = p[P.forecastErrors + slow]!;
  return level > 0 ? min(1, p[P.forecastErrors + best]! / level) : 1;
}

/** Usual error of the hours around this one, over that of all hours. */
function hourRatio(record: SeriesRecord, localSeconds: number): number {
  const { p } = record;
  const mean = p[P.errorMean]!;
  if (!(mean > 0)) return 1;
  const hours = secondOfDay(localSeconds) / 3600 - 0.5;
  const first = floor(hours);
  const part = hours - first;
  const before = sizeAt(record, HOUR_ERRORS_AT + ((first + 24) % 24)) || mean;
  const after = sizeAt(record, HOUR_ERRORS_AT + ((first + 1) % 24)) || mean;
  return max(MIN_SCALE, min(MAX_SCALE, (before * (1 - part) + after * part) / mean));
}

/**
 * True if the mean of the last rows also describes this row: a deviation that has ended is not evidence of a current
 * one.
 */
function isStill(mean: number, shift: number): boolean {
  return mean > 0 ? shift > STILL_AWAY * mean : shift < STILL_AWAY * mean;
}

function hourOf(localSeconds: number): number {
  return floor(secondOfDay(localSeconds) / 3600);
}

function secondOfDay(localSeconds: number): number {
  const second = localSeconds - floor(localSeconds / DAY_SECONDS) * DAY_SECONDS;
  return second < 0 ? second + DAY_SECONDS : second;
}

function capped(error: number, known: number, n: number): number {
  if (!(n > FIRST_ROWS && known > 0) || error <= known * ERROR_CAP) return error;
  return min(error, known * (ERROR_CAP + ERROR_BEYOND_CAP * min(error / known, MAX_ERRORS)));
}

function meanOf(known: number, size: number, n: number): number {
  const learnt = n > FIRST_ROWS && known > 0 ? min(size, MEAN_CAP * known) : size;
  return known + max(1 / n, 1 / MEAN_ROWS) * (learnt - known);
}

/** Moves a streaming quantile: up by its share of the step if the size is beyond it, else down by the rest. */
function quantile(known: number, size: number, step: number, share: number): number {
  return max(0, known + step * (size > known ? share : share - 1));
}
