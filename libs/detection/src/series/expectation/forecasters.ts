import { DayEdges } from '../season/day-edges.js';
import { B, F, P } from '../record/layout.js';
import * as layout from '../record/layout.js';
import { SEASON_DAILY, SEASON_NONE, type SeasonalPoint, STEP } from '../season/season.js';
import { type SeriesRecord } from '../record/series-record.js';

const { BESIDE_DAY, BESIDE_WEEK, FORECAST_ERRORS_AT } = layout;
const { abs, max, min } = Math;
const { isNaN } = Number;

/**
 * Simple forecasts that compete: each point is judged by the one that has predicted this series best in recent rows.
 * Levels learn from every point, with capped steps, and return to their former values after an anomaly.
 */

export const FAST = 0;
export const DAY_FAST = 1;
const DAY_SLOW = 2;
export const DAY_ALONE = 3;
export const LONG = 4;
export const MIDDLE = 5;
export const WEEK_SLOW = 6;
const FORECASTERS = 7;

/** Rates at which the lasting part of the last rows, and levels, are learnt. */
const FAST_RATE = 0.3;
const SLOW_RATE = 0.05;
const DAY_LEVEL_RATE = 0.004;
const LONG_RATE = 0.003;
const CALM_RATE = 0.1;
const MIDDLE_RATE = 0.005;
/**
 * Rate at which the lag of the last rows behind a steadily rising or falling series is learnt, and the limit of the
 * effect of one point on it.
 */
const LAG_RATE = 0.0025;
const LAG_CAP = 3;
/** Time until the lag is known, and its bounds in rows. */
const LAG_SECONDS = 86_400;
const LAG_LEAST_ROWS = 100;
const LAG_MOST_ROWS = 400;
/** Share of the usual error from which a lag exceeds chance, and share at which it is fully corrected. */
const LAGS_FROM = 0.7;
const LAGS_AT = 0.85;
/** Limit of the effect of one point on a level, in usual errors of its forecast. */
const SLOW_CAP = 3;
const LONG_CAP = 6;
/**
 * Rows over which errors are compared, and the limit of the effect of one point on an error: a spike must not change
 * the forecaster that judges.
 */
const ERROR_ROWS = 1500;
const ERROR_CAP = 20;
const ERROR_BEYOND_CAP = 0.02;
const MAX_ERRORS = 1000;
/**
 * Rounds of squaring the ratio of the lowest error to another: a forecast with 1.02 times the mean error has half the
 * weight.
 */
const MIXING_ROUNDS = 5;
/** Share of the distance by which levels return in each row. */
const BACK_RATE = 0.1;
/** Factor for the errors of forecasters that are less calm than a level. */
const RESTLESS = 1.05;
/** A series stays at a level if the errors of its levels are at most this many times the lowest error. */
const LIKE_A_LEVEL = 1.5;
/** Uncertainty of the sides of a step of the day, as a share of the step. */
export const STEP_UNSURE = 0.1;
/** Number of rows before anything is capped. */
const FIRST_ROWS = 30;
/**
 * The week is used for judgement if its error is smaller by the first factor. It may explain a value that another
 * forecaster cannot explain if its error is larger by at most the second one.
 */
const WEEK_DISCOUNT = 1.05;
const WEEK_HELPS = 1.2;
/**
 * If its error is larger than that, by at most this factor, it explains a value if at most this share remains
 * unexplained (a weekend begins).
 */
const WEEK_KNOWS = 2.5;
export const OF_WEEK = 0.25;
const WEEK_AFTER_SECONDS = 7.25 * 86_400;
/** Distance from the day, in its usual errors, from which the expected job is missing. */
const MISSED_ERRORS = 8;
const TINY = 1e-300;

/** Forecasts of one point, relative to the origin; scratch of a detector. */
export class Forecasters {
  readonly forecasts = new Float64Array(FORECASTERS);
  /** The value that is forecast and learnt. */
  value = 0;
  /** The forecaster that judges, and the better one of the two that use neither day nor week. */
  best = 0;
  slow = LONG;
  /** Mean of the forecasts, weighted by their recent errors: it does not jump if another one becomes the best. */
  mixed = 0;
  /** Distance from the best forecast that the rows around this time of day do not explain. */
  residual = 0;
  /** Distance from `slow`, without the part that the day explains. */
  slowResidual = 0;
  /** Distance of the value from the long level of the best forecaster, without the explained part. */
  shift = 0;
  /** Forecaster whose error is the usual distance of values from that level. */
  levelOf = LONG;
  /**
   * Distance from the day if the day expects another value than the forecaster that judges (a job is expected); else 0.
   */
  missed = 0;
  /**
   * True if the week has been known for long enough, and predicts well enough, to explain values that no other
   * forecaster explains.
   */
  knowsWeek = false;
  /** Minimum distance that counts for `missed`. */
  missedLimit = Infinity;
  readonly edges = new DayEdges();
  private day = 0;
  private week = 0;

  /** Forecasts a point before its value is known. */
  expect(record: SeriesRecord, at: SeasonalPoint): void {
    const { f, p } = record;
    const { forecasts } = this;
    const day = (this.day = isNaN(at.dailyAt) ? f[F.calmLevel]! : at.dailyAt);
    const hasWeek = !isNaN(at.weeklyAt);
    const week = (this.week = hasWeek ? at.weeklyAt : day);
    this.beginSeasons(record, isNaN(at.dailyAt), !hasWeek);
    forecasts[FAST] = f[F.fast]! + steadyLag(record, at.resolution);
    forecasts[DAY_FAST] = day + p[P.dayFast]!;
    forecasts[DAY_SLOW] = day + p[P.daySlow]!;
    forecasts[DAY_ALONE] = day;
    forecasts[LONG] = f[F.long]!;
    forecasts[MIDDLE] = f[F.middle]!;
    forecasts[WEEK_SLOW] = week + p[P.weekSlow]!;
    this.best = bestOf(p);
    this.slow = errorOf(p, LONG) < errorOf(p, MIDDLE) ? LONG : MIDDLE;
    const steep = STEP * errorOf(p, this.best);
    this.mixed = mixed(p, forecasts, this.best, steep);
    this.edges.locate(record, at, steep, errorOf(p, this.slow) <= LIKE_A_LEVEL * errorOf(p, this.best));
  }

  /** Compares the value of the point with its forecasts. */
  take(record: SeriesRecord, at: SeasonalPoint): void {
    const { f, p, b } = record;
    const { value } = this;
    const { forecasts, day, week, best } = this;
    const hasWeek = !isNaN(at.weeklyAt);

    const steep = STEP * errorOf(p, best);
    const whole = value - forecasts[best]!;
    let residual = whole;
    const { edges } = this;
    edges.take(record, at, value, steep);
    if (isOfDay(best) && at.dailyHigh - at.dailyLow > steep) {
      residual = beyond(whole, at.dailyLow - day, at.dailyHigh - day);
    }
    this.slowResidual = value - forecasts[this.slow]!;
    if (b[B.season] !== SEASON_NONE && abs(value - day) < abs(this.slowResidual)) this.slowResidual = value - day;
    if (edges.isSteep) {
      // The uncertainty of a job grows with its size.
      const unsure = STEP_UNSURE * (edges.high - edges.low);
      const ofStep = beyond(value, edges.low - unsure, edges.high + unsure);
      if (abs(ofStep) < abs(residual)) residual = ofStep;
      if (abs(ofStep) < abs(this.slowResidual)) this.slowResidual = ofStep;
    }
    // A job that only the day expects is expected, regardless of the forecaster that judges.
    let ofDay = Infinity;
    if (b[B.season] === SEASON_DAILY && best !== WEEK_SLOW && abs(day - f[F.long]!) > steep) {
      const isStep = at.dailyHigh - at.dailyLow > steep;
      ofDay = isStep ? beyond(value, at.dailyLow, at.dailyHigh) : value - day;
      if (abs(ofDay) < abs(residual)) residual = ofDay;
    }
    this.knowsWeek =
      hasWeek &&
      at.timestamp - f[F.firstAnalysed]! > WEEK_AFTER_SECONDS &&
      errorOf(p, WEEK_SLOW) <= WEEK_KNOWS * errorOf(p, best);
    if (this.knowsWeek) {
      let other = value - forecasts[WEEK_SLOW]!;
      if (at.weekHigh - at.weekLow > steep) other = beyond(other, at.weekLow - week, at.weekHigh - week);
      const isGood = errorOf(p, WEEK_SLOW) <= WEEK_HELPS * errorOf(p, best);
      const isOfWeek = abs(whole) > steep && abs(other) < OF_WEEK * abs(whole);
      if ((isGood || isOfWeek) && abs(other) < abs(residual)) residual = other;
      if (abs(this.slowResidual) > steep && abs(other) < OF_WEEK * abs(this.slowResidual)) this.slowResidual = other;
    }
    this.residual = residual;
    this.missed = 0;
    const expects = abs(day - f[F.long]!) > steep && b[B.season] !== SEASON_NONE && !isNaN(at.dailyAt);
    if (edges.knowsExpected || edges.missing !== 0) {
      // A feature of the day that is missing on a weekend is not overdue: the week contains this.
      this.missed = best === WEEK_SLOW ? 0 : edges.missing;
      this.missedLimit = MISSED_ERRORS * errorOf(p, DAY_ALONE);
    } else if (expects && (best === FAST || best === LONG || best === MIDDLE)) {
      this.missed = beyond(value - day, min(at.dailyLow - day, 0), max(at.dailyHigh - day, 0));
      this.missedLimit = MISSED_ERRORS * errorOf(p, DAY_ALONE);
    }
    const level = best === WEEK_SLOW ? forecasts[WEEK_SLOW]! : isOfDay(best) ? day + p[P.dayLevel]! : f[F.long]!;
    this.levelOf = best === WEEK_SLOW ? WEEK_SLOW : isOfDay(best) ? DAY_ALONE : LONG;
    this.shift = value - (whole - residual) - level;
    if (edges.isSteep) {
      const ofStep = beyond(value, edges.low, edges.high);
      if (isOfDay(best) || abs(ofStep) < abs(this.shift)) this.shift = ofStep;
    }
    if (abs(ofDay) < abs(this.shift)) this.shift = ofDay;
  }

  /** Errors of the forecasts; they are frozen while an anomaly is open. */
  private learnErrors(record: SeriesRecord, n: number, robust: boolean): void {
    const { p } = record;
    const { forecasts, value } = this;
    const slowness = max(1 / n, 1 / ERROR_ROWS);
    for (let k = 0; k < FORECASTERS; k++) {
      const known = errorOf(p, k);
      const error = abs(value - forecasts[k]!);
      const learnt =
        robust && known > 0 && error > known * ERROR_CAP
          ? min(error, known * (ERROR_CAP + ERROR_BEYOND_CAP * min(error / known, MAX_ERRORS)))
          : error;
      p[FORECAST_ERRORS_AT + k] = known + slowness * (learnt - known);
    }
  }

  /** An anomaly opens with this point: the current levels continue when it has ended. */
  hold({ f, p }: SeriesRecord): void {
    f[F.heldLong] = f[F.long]!;
    f[F.heldMiddle] = f[F.middle]!;
    p[P.heldDayLevel] = p[P.dayLevel]!;
  }

  /** An anomaly has ended with this point: the rows of the anomaly are not a forecast. */
  resetAfterAnomaly(record: SeriesRecord, value: number, resolution: number): void {
    const { f, p, b } = record;
    // In a steady drift, the last rows lag behind the value by as much as before.
    f[F.fast] = value - (1 - FAST_RATE) * steadyLag(record, resolution);
    p[P.dayFast] = value - this.day;
    f[F.long] = f[F.heldLong]!;
    f[F.middle] = f[F.heldMiddle]!;
    p[P.daySlow] = p[P.dayLevel] = p[P.heldDayLevel]!;
    if (b[B.heldBeside] === BESIDE_WEEK) p[P.weekSlow] = f[F.heldLevel]!;
  }

  /** The point returns from the current levels: they follow immediately. */
  goBack({ f, p }: SeriesRecord): void {
    const { value, day, week } = this;
    for (const level of [F.long, F.middle, F.calmLevel]) f[level] = f[level]! + BACK_RATE * (value - f[level]!);
    p[P.daySlow] = p[P.daySlow]! + BACK_RATE * (value - day - p[P.daySlow]!);
    p[P.dayLevel] = p[P.dayLevel]! + BACK_RATE * (value - day - p[P.dayLevel]!);
    p[P.weekSlow] = p[P.weekSlow]! + BACK_RATE * (value - week - p[P.weekSlow]!);
  }

  /** True if a feature that is early or late begins or ends at about this time. */
  get isNearStep(): boolean {
    return this.edges.isWide && this.edges.isSteep;
  }

  /** The expectation of the day alone; the known level if there is no day. */
  get ofDay(): number {
    return this.day;
  }

  /** The expectation of the week alone; the day if the week is not known. */
  get ofWeek(): number {
    return this.week;
  }

  /** The level that continues while an anomaly is open, under the held level. */
  underHeld({ b }: SeriesRecord): number {
    const beside = b[B.heldBeside]!;
    return beside === BESIDE_DAY ? this.day : beside === BESIDE_WEEK ? this.week : 0;
  }

  /**
   * Sets levels relative to the day (or the week) to the current value when the day (or week) becomes known or is
   * forgotten, so that forecasts do not jump.
   */
  private beginSeasons({ f, p, b }: SeriesRecord, isDayUnknown: boolean, isWeekUnknown: boolean): void {
    const day = isDayUnknown ? 0 : 1;
    const week = isWeekUnknown ? 0 : 1;
    const calmLevel = f[F.calmLevel]!;
    if (b[B.dayKnown] !== day) {
      b[B.dayKnown] = day;
      p[P.dayFast] = f[F.fast]! - this.day;
      p[P.daySlow] = p[P.dayLevel] = calmLevel - this.day;
    }
    if (b[B.weekKnown] === week) return;
    b[B.weekKnown] = week;
    p[P.weekSlow] = calmLevel - this.week;
  }

  /** Learns the point; call it before the count is incremented. */
  learn(record: SeriesRecord): void {
    const { f, p, b } = record;
    const { day, value, week } = this;
    const n = f[F.count]! + 1;
    const robust = n > FIRST_ROWS;
    p[P.fastLag] = moved(p[P.fastLag]!, value - f[F.fast]!, max(1 / n, LAG_RATE), capOf(p, FAST, LAG_CAP, robust));
    f[F.fast] = moved(f[F.fast]!, value, FAST_RATE, Infinity);
    p[P.dayFast] = moved(p[P.dayFast]!, value - day, FAST_RATE, Infinity);
    if (b[B.open] !== 1) this.learnErrors(record, n, robust);
    f[F.long] = moved(f[F.long]!, value, max(1 / n, LONG_RATE), capOf(p, LONG, LONG_CAP, robust));
    p[P.daySlow] = moved(p[P.daySlow]!, value - day, SLOW_RATE, capOf(p, DAY_SLOW, SLOW_CAP, robust));
    p[P.weekSlow] = moved(p[P.weekSlow]!, value - week, SLOW_RATE, capOf(p, WEEK_SLOW, SLOW_CAP, robust));
    learnMiddle(record, n, value);
    const calmRate = n < 20 ? 1 / n : CALM_RATE;
    f[F.calmLevel] = moved(f[F.calmLevel]!, value, calmRate, n < 20 ? Infinity : capOf(p, FAST, SLOW_CAP, robust));
    p[P.dayLevel] = moved(
      p[P.dayLevel]!,
      value - day,
      max(1 / n, DAY_LEVEL_RATE),
      capOf(p, DAY_ALONE, SLOW_CAP, robust),
    );
  }
}

/** The lag of the last rows, if it causes most of their error: a disk that fills, a leak. */
function steadyLag(record: SeriesRecord, resolution: number): number {
  const { f, p } = record;
  if (f[F.count]! < max(LAG_LEAST_ROWS, min(LAG_MOST_ROWS, LAG_SECONDS / resolution))) return 0;
  const lag = p[P.fastLag]!;
  const share = abs(lag) / (errorOf(p, FAST) + TINY);
  return share <= LAGS_FROM ? 0 : lag * min(1, (share - LAGS_FROM) / (LAGS_AT - LAGS_FROM));
}

/** A new level was accepted as normal. */
export function acceptForecastLevel({ f, p }: SeriesRecord, level: number): void {
  f[F.long] = f[F.middle] = f[F.calmLevel] = level;
  p[P.dayFast] = p[P.daySlow] = p[P.dayLevel] = p[P.weekSlow] = 0;
}

/** A season became active whose error is known from other data: the first errors of its forecast are replaced. */
export function lowerError(record: SeriesRecord, forecaster: number, error: number): void {
  const { p } = record;
  p[FORECAST_ERRORS_AT + forecaster] = min(errorOf(p, forecaster), error);
}

/** True for forecasters that follow the day. */
export function isOfDay(forecaster: number): boolean {
  return forecaster >= DAY_FAST && forecaster <= DAY_ALONE;
}

export function errorOf(p: Float32Array, forecaster: number): number {
  return p[FORECAST_ERRORS_AT + forecaster]!;
}

function bestOf(p: Float32Array): number {
  let best = FAST;
  let least = errorOf(p, FAST);
  for (let k = 1; k < FORECASTERS; k++) {
    const error = k === WEEK_SLOW ? WEEK_DISCOUNT * errorOf(p, k) : errorOf(p, k);
    if (error < least) {
      least = error;
      best = k;
    }
  }
  return best;
}

/**
 * Mean of the forecasts, weighted by the 32nd power of their mean errors: only those with similar errors contribute.
 * Forecasts that are further than `steep` from the best are omitted: no value between the forecasts of a level and of a
 * day with a job is expected.
 */
function mixed(p: Float32Array, forecasts: Float64Array, best: number, steep: number): number {
  const middle = forecasts[best]!;
  if (!(steep > 0)) return middle;
  const least = errorOf(p, best);
  let sum = 0;
  let weights = 0;
  for (let k = 0; k < FORECASTERS; k++) {
    const distance = forecasts[k]! - middle;
    if (abs(distance) > steep) continue;
    const error = k === LONG || k === MIDDLE ? errorOf(p, k) : RESTLESS * errorOf(p, k);
    let weight = least / error;
    for (let round = 0; round < MIXING_ROUNDS; round++) weight *= weight;
    sum += weight * distance;
    weights += weight;
  }
  return middle + sum / weights;
}

/** Running median: moves by the usual distance towards the value, regardless of the distance of the value. */
function learnMiddle({ f, p }: SeriesRecord, n: number, value: number): void {
  const distance = value - f[F.middle]!;
  const scale = p[P.middleScale]!;
  if (n < 20) {
    f[F.middle] = f[F.middle]! + distance / n;
    p[P.middleScale] = scale + (abs(distance) - scale) / n;
    return;
  }
  const share = max(-1, min(1, distance / (scale + TINY)));
  f[F.middle] = f[F.middle]! + max(MIDDLE_RATE, 1.5 / n) * scale * share;
  p[P.middleScale] = scale + MIDDLE_RATE * (min(abs(distance), 4 * scale) - scale) + 1e-9 * abs(distance);
}

/** Limit of the effect of one point on the level of a forecaster. */
function capOf(p: Float32Array, forecaster: number, errors: number, robust: boolean): number {
  return robust ? errors * errorOf(p, forecaster) : Infinity;
}

function moved(level: number, value: number, rate: number, cap: number): number {
  return level + rate * max(-cap, min(cap, value - level));
}

/** The part of a distance from the expectation that is outside `low` to `high` around it. */
export function beyond(distance: number, low: number, high: number): number {
  if (distance > high) return distance - high;
  return distance < low ? distance - low : 0;
}
