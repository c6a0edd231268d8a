import { errorOf, type Forecasters, LONG, MIDDLE, WEEK_SLOW } from './forecasters.js';
import { B, F, P } from '../record/layout.js';
import { smallestStep } from './measurement.js';
import { SEASON_NONE, type SeasonalPoint, STEP } from '../season/season.js';
import { type SeriesRecord } from '../record/series-record.js';

const { abs, exp, max, min, sqrt } = Math;

/**
 * The range that is drawn: around the weighted mean of the forecasts (forecasters.ts), widened by the unrest of this
 * hour and of the last rows. Each bound is at a value that few normal points exceed. The range is limited to slightly
 * beyond the lowest and the highest value ever seen.
 */

/** Share of normal points beyond a bound: with this share, the bound stays where it is. */
const OUTSIDE_SHARE = 0.0036;
/**
 * 0.8 % of a normal distribution is beyond this share of a bound: a lasting deviation need not be as far out as a
 * single row.
 */
export const LASTING_SHARE = 0.9;
/** Initial value of a bound, in mean distances: 0.4 % of a normal distribution is beyond it. */
const FIRST_BOUND = 3.3;
/** Minimum bound: a constant series must not need days to learn its noise again. */
const MIN_BOUND = 0.05;
/** Step of a bound (of its logarithm) when a point is beyond it, late and early. */
const BOUND_STEP = 0.1;
const FIRST_STEPS = 2;
/** Number of rows before bounds learn. */
const FIRST_ROWS = 30;
/**
 * Rows over which the usual distance is learnt, and number of last rows for their own usual distance; distances count
 * up to this many usual ones.
 */
const DISTANCE_ROWS = 3000;
const LAST_ROWS = 10;
const DISTANCE_CAP = 12;
/**
 * Limit of the distance that a series that was constant learns from its first step, in usual distances: quotients stay
 * finite.
 */
const MAX_DISTANCE = 1000;
/**
 * Limit of the factor by which the last rows widen the range: a shift also makes them restless, and must still be
 * outside.
 */
const MAX_UNREST = 1.5;
/**
 * Initial factor by which the range follows the restlessness of the last rows, and the rate at which it is learnt.
 */
const FIRST_FOLLOWED = 0.3;
const FOLLOWING_RATE = 0.01;
/** Minimum usual distance, in the smallest step that the series has ever made: counts that are mostly zero. */
const MIN_DISTANCE = 0.05;
/** Margin of the range beyond all seen values, in usual distances: initial, minimum and maximum. */
const FIRST_MARGIN = 0.5;
const MIN_MARGIN = 0.001;
const MAX_MARGIN = 100;
/**
 * Step of the logarithm of the margin: a series that moves on to values never seen before needs it within a few rows.
 */
const MARGIN_STEP = 0.5;
/** Share of normal points beyond the margin. */
const MARGIN_SHARE = 0.008;
const MARGIN_GROWS = exp(MARGIN_STEP * (1 - MARGIN_SHARE));
const MARGIN_SHRINKS = exp(-MARGIN_STEP * MARGIN_SHARE);

/** Resets the bounds to those of a series that has learnt nothing. */
export function restartRange({ p }: SeriesRecord): void {
  p[P.boundLow] = p[P.boundHigh] = FIRST_BOUND;
  p[P.unrest] = FIRST_FOLLOWED;
  p[P.marginLow] = p[P.marginHigh] = FIRST_MARGIN;
}

/**
 * Another expectation became active, with this mean error: the range is at most that of a normal distribution around
 * it.
 */
export function lowerRange({ p }: SeriesRecord, error: number): void {
  p[P.distance] = min(p[P.distance]!, error);
  p[P.lastDistance] = min(p[P.lastDistance]!, error);
  p[P.boundLow] = min(p[P.boundLow]!, FIRST_BOUND);
  p[P.boundHigh] = min(p[P.boundHigh]!, FIRST_BOUND);
}

/** A new normal was accepted, with this mean distance of a point from the mean of the last ones. */
export function acceptRangeWidth({ p }: SeriesRecord, distance: number): void {
  p[P.distance] = p[P.lastDistance] = distance;
}

/** Expected value and range of a point, relative to the series' origin. */
export class ExpectedRange {
  expected = NaN;
  lower = NaN;
  upper = NaN;
  /** The drawn range: limited by the seen values; while an anomaly is open, it extends towards a lasting value. */
  drawnLower = NaN;
  drawnUpper = NaN;
  /** All values between these are expected equally, such as the two sides of a step of the day. */
  private low = NaN;
  private high = NaN;
  /** Limits of the drawn range. */
  private lowEnd = NaN;
  private highEnd = NaN;
  /** Unrest of the last rows divided by the usual one, minus 1. */
  private unrest = 0;
  private hour = 1;

  /**
   * Computes the range as a forecast from the point before. While an anomaly is open, the range is around the
   * expectation before its first row, because nothing newer is known to be normal. `hour`: factor by which the unrest
   * of this time of day widens it.
   */
  read(record: SeriesRecord, at: SeasonalPoint, forecasters: Forecasters, hour: number): void {
    const { f, p, b } = record;
    const { best, edges, mixed, ofDay } = forecasters;
    let expected = mixed;
    let low = mixed;
    let high = mixed;
    let followed = mixed;
    const isOpen = b[B.open] === 1;
    if (isOpen) {
      const beside = forecasters.underHeld(record);
      expected = low = high = beside + f[F.heldLevel]!;
      followed = beside + f[F.heldMean]!;
    }
    const steep = STEP * errorOf(p, best);
    const isWeekly = best === WEEK_SLOW && !Number.isNaN(at.weeklyAt);
    const stepLow = isWeekly ? at.weekLow : edges.stepLow;
    const stepHigh = isWeekly ? at.weekHigh : edges.stepHigh;
    // If today differs from the days that the profile describes, their steps do not apply today.
    if (stepHigh - stepLow > steep && mixed > stepLow - steep && mixed < stepHigh + steep) {
      low = min(low, stepLow);
      high = max(high, stepHigh);
    }
    // If a level predicts best, the level does not contain the jobs of the day.
    if ((best === LONG || best === MIDDLE) && b[B.season] !== SEASON_NONE && abs(ofDay - mixed) > steep) {
      low = min(low, ofDay);
      high = max(high, ofDay);
    }
    this.expected = expected;
    this.low = low;
    this.high = high;
    this.hour = hour;
    const usual = p[P.distance]!;
    this.unrest = usual > 0 ? min(MAX_UNREST, p[P.lastDistance]! / usual) - 1 : 0;
    const unit = max(usual * hour * (1 + p[P.unrest]! * this.unrest), MIN_DISTANCE * smallestStep(p));
    this.lower = low - p[P.boundLow]! * unit;
    this.upper = high + p[P.boundHigh]! * unit;
    const lowest = isOpen ? f[F.rangeBeforeMin]! : f[F.lowest]!;
    const highest = isOpen ? f[F.rangeBeforeMax]! : f[F.highest]!;
    this.lowEnd = min(low, lowest - p[P.marginLow]! * usual);
    this.highEnd = max(high, highest + p[P.marginHigh]! * usual);
    this.drawnLower = max(this.lower, this.lowEnd) + min(0, followed - low);
    this.drawnUpper = min(this.upper, this.highEnd) + max(0, followed - high);
  }

  /**
   * Learns a normal point. The bounds adapt so that in the long run the same share of points is beyond each of them,
   * whatever the distribution (Gibbs & Candès, "Adaptive conformal inference under distribution shift", 2021, on the
   * logarithm of the bound); the same applies to the ends of the seen range if they are nearer. The factor by which the
   * restlessness of the last rows predicts the next one is learnt by normalised least mean squares.
   */
  learn(record: SeriesRecord, value: number): void {
    const { f, p } = record;
    const n = f[F.count]! + 1;
    const usual = p[P.distance]!;
    const isFirst = n <= FIRST_ROWS;
    const whole = abs(value - max(this.low, min(this.high, value))) / this.hour;
    const distance = isFirst ? whole : min(whole, max(DISTANCE_CAP * usual, smallestStep(p)));
    if (!isFirst) {
      const step = BOUND_STEP + FIRST_STEPS / sqrt(100 + n);
      const grow = exp(step * (1 - OUTSIDE_SHARE));
      const shrink = exp(-step * OUTSIDE_SHARE);
      p[P.boundHigh] = max(MIN_BOUND, p[P.boundHigh]! * (value > this.upper ? grow : shrink));
      p[P.boundLow] = max(MIN_BOUND, p[P.boundLow]! * (value < this.lower ? grow : shrink));
      if (this.highEnd < this.upper) p[P.marginHigh] = movedMargin(p[P.marginHigh]!, value > this.highEnd);
      if (this.lowEnd > this.lower) p[P.marginLow] = movedMargin(p[P.marginLow]!, value < this.lowEnd);
      if (usual > 0) {
        const { unrest } = this;
        const more = min(MAX_DISTANCE, distance / usual) - 1;
        const followed = p[P.unrest]!;
        p[P.unrest] = max(
          0,
          min(1, followed + (FOLLOWING_RATE * unrest * (more - followed * unrest)) / (1 + unrest * unrest)),
        );
      }
    }
    p[P.distance] = usual + max(1 / n, 1 / DISTANCE_ROWS) * (distance - usual);
    const last = p[P.lastDistance]!;
    p[P.lastDistance] = last + max(1 / n, 1 / LAST_ROWS) * (distance - last);
  }

  /**
   * 1 above the range, -1 below it, 0 inside. The value is relative to the origin, like the bounds, which are scaled by
   * `share`.
   */
  sideOf(value: number, share = 1): number {
    if (value > this.high + share * (this.upper - this.high)) return 1;
    return value < this.low - share * (this.low - this.lower) ? -1 : 0;
  }
}

/**
 * Of n values in any order, the next one exceeds all before with a probability of 1 in n, which is less than the share
 * beyond a bound. In a series that drifts this happens every few rows: the margin then grows until the bound is nearer.
 */
function movedMargin(margin: number, isBeyond: boolean): number {
  return max(MIN_MARGIN, min(MAX_MARGIN, margin * (isBeyond ? MARGIN_GROWS : MARGIN_SHRINKS)));
}
