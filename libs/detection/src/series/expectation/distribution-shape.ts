import { P } from '../record/layout.js';
import { type SeriesRecord } from '../record/series-record.js';

const { abs, exp, log1p, max, min, sqrt } = Math;

/**
 * A scale on which the deviations of a series from its expectation are symmetric around their middle. Latencies, rates
 * and sizes often vary by factors, not by amounts: far above the middle is then as usual as slightly below it. The
 * scale is linear for symmetric distributions and logarithmic on the longer side of skewed ones. It is derived from
 * three quantiles, so it follows any change of unit, offset or sign.
 * Source: the three-parameter lognormal by quantiles, Aitchison & Brown, "The Lognormal Distribution" (1957).
 */

/** Share of the values beyond the bound of either side. */
const BEYOND_SHARE = 0.02;
/**
 * Number of values before the bounds are learnt, and their initial value, in usual distances: 2 % of a normal
 * distribution is beyond it.
 */
const SHAPE_AFTER = 50;
const FIRST_BOUND = 2.6;
/** Step of the logarithm of a bound if a value is beyond it, late and early. */
const STEP = 0.01;
const FIRST_STEPS = 1;
/** Rows over which the usual distance from the middle is learnt, and minimum step of the middle in such distances. */
const MEMORY = 4000;
const MIDDLE_STEP = 1 / 2000;
/** Distances from the middle are learnt up to this many usual distances. */
const DISTANCE_CAP = 6;
/** A side longer than the other by this factor is skewed. */
const SKEWED = 2;
/** The shorter side counts as at least this share of the longer one. */
const MIN_SHARE = 0.1;
/** Below this a distance over the reach could overflow. */
const MIN_REACH = 1e-250;
/**
 * Minimum distance of a value from the pole of the logarithm, as a share of the whole; beyond it the scale is linear.
 */
const NEAR_END = 0.98;

/** Learns a deviation from the expectation; the middle and the bounds by stochastic approximation (Robbins & Monro 1951). */
export function learnShape(p: Float32Array, value: number): void {
  const n = (p[P.shapeRows]! += 1);
  const rate = max(1 / n, 1 / MEMORY);
  const distance = abs(value - p[P.quantileMiddle]!);
  if (n <= SHAPE_AFTER) {
    // A rough initial estimate: mean and mean distance of the first values.
    p[P.quantileMiddle] = p[P.quantileMiddle]! + (value - p[P.quantileMiddle]!) / n;
    p[P.middleSpread] = p[P.middleSpread]! + (distance - p[P.middleSpread]!) / n;
    p[P.boundBelow] = p[P.boundAbove] = FIRST_BOUND * p[P.middleSpread];
    return;
  }
  const spread = p[P.middleSpread]!;
  p[P.middleSpread] = spread + rate * ((spread > 0 ? min(distance, DISTANCE_CAP * spread) : distance) - spread);
  const isAbove = value > p[P.quantileMiddle]!;
  const step = STEP + FIRST_STEPS / sqrt(n);
  const inwards = exp(step * -BEYOND_SHARE);
  const least = MIN_SHARE * p[P.middleSpread];
  p[P.boundAbove] = moved(p[P.boundAbove]!, isAbove ? distance : 0, step, inwards, least);
  p[P.boundBelow] = moved(p[P.boundBelow]!, isAbove ? 0 : distance, step, inwards, least);
  const middleStep = p[P.middleSpread] * max(1 / n, MIDDLE_STEP);
  p[P.quantileMiddle] = p[P.quantileMiddle]! + (isAbove ? middleStep : -middleStep);
}

/**
 * Moves a bound slightly outwards if a distance is beyond it, else slightly inwards; never far inside the usual
 * distance.
 */
function moved(bound: number, distance: number, step: number, inwards: number, least: number): number {
  return max(least, bound * (distance > bound ? exp(step * (1 - BEYOND_SHARE)) : inwards));
}

/** Another expectation became active: deviations from it have a different shape. */
export function restartShape({ p }: SeriesRecord): void {
  p[P.shapeRows] = p[P.quantileMiddle] = p[P.boundBelow] = p[P.boundAbove] = p[P.middleSpread] = 0;
}

/** The symmetric scale of one series at one moment; scratch, one per detector. */
export class EvenScale {
  private middle = 0;
  /** Distance from the middle to the pole of the logarithm; Infinity: linear. */
  private reach = Infinity;
  /** 1 if the upper side is the longer one, -1 if the lower side is. */
  private side = 1;

  read({ p }: SeriesRecord): void {
    this.middle = p[P.quantileMiddle]!;
    const below = p[P.boundBelow]!;
    const above = p[P.boundAbove]!;
    this.side = above >= below ? 1 : -1;
    this.reach = Infinity;
    if (p[P.shapeRows]! < SHAPE_AFTER) return;
    const long = max(above, below);
    const short = max(min(above, below), MIN_SHARE * long);
    if (!(long > SKEWED * short)) return;
    const reach = short / (1 - (SKEWED * short) / long);
    if (reach > MIN_REACH) this.reach = reach;
  }

  /** A value on the symmetric scale: 0 at the middle, with slope 1 there. */
  of(value: number): number {
    const distance = this.side * (value - this.middle);
    const { reach } = this;
    if (reach === Infinity) return value - this.middle;
    if (distance > -NEAR_END * reach) return this.side * reach * log1p(distance / reach);
    return this.side * (reach * END + (distance + NEAR_END * reach));
  }
}

const END = log1p(-NEAR_END);
