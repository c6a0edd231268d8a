import { F } from './layout.js';
import { type Measurement } from './measurement.js';
import { type SeasonalPoint } from './season.js';

const { exp, max, sqrt } = Math;

/** Share of normal points outside the range on each side: 99.2 % lie inside. */
const OUTSIDE_SHARE = 0.004;
/** Where a bound starts, in usual deviations: 0.4 % of a normal distribution lies beyond. */
const FIRST_BOUND = 3.3;
/** Least bound: a series that stands still must not need days to find its noise again. */
const LEAST_BOUND = 0.05;
/** Step of a bound (of its logarithm) when a point lies beyond it, late and early. */
const STEP = 0.1;
const FIRST_STEPS = 2;
const BOUNDS = 4;

/** Bounds of a series that has learnt nothing. */
export function restartRange(f: Float64Array): void {
  f[F.changeLow] = f[F.changeHigh] = f[F.deviationLow] = f[F.deviationHigh] = FIRST_BOUND;
}

/**
 * Moves the bounds so that in the long run the wanted share of normal points lies beyond each, whatever the distribution.
 * Source: Gibbs & Candès, "Adaptive conformal inference under distribution shift" (2021), on the logarithm of the bound.
 */
export function learnRange(f: Float64Array, measured: Measurement): void {
  const step = STEP + FIRST_STEPS / sqrt(100 + f[F.count]!);
  const inwards = exp(-step * OUTSIDE_SHARE);
  const { zChange, zDeviation } = measured;
  // The low bound and the high one of changes, then those of deviations.
  for (let i = 0; i < BOUNDS; i++) {
    const z = i < 2 ? zChange : zDeviation;
    const bound = f[F.changeLow + i]!;
    const isBeyond = i % 2 === 0 ? -z > bound : z > bound;
    f[F.changeLow + i] = max(LEAST_BOUND, bound * (isBeyond ? exp(step * (1 - OUTSIDE_SHARE)) : inwards));
  }
}

/** Expected value and range of a point, relative to the series' origin. */
export class ExpectedRange {
  expected = NaN;
  lower = NaN;
  upper = NaN;

  /**
   * The range as a forecast from the point before: around what lasts of the last deviations; while an anomaly is open
   * around the frozen expectation, since nothing newer is known to be normal.
   */
  read(f: Float64Array, at: SeasonalPoint, measured: Measurement): void {
    if (f[F.open] === 1) {
      this.expected = at.expected;
      this.lower = at.low - f[F.deviationLow]! * measured.spread;
      this.upper = at.high + f[F.deviationHigh]! * measured.spread;
      return;
    }
    this.expected = measured.forecast;
    this.lower = measured.forecast - (at.expected - at.low) - f[F.changeLow]! * measured.changeSpread;
    this.upper = measured.forecast + (at.high - at.expected) + f[F.changeHigh]! * measured.changeSpread;
  }

  /** Value relative to the origin, as the bounds. */
  isOutside(value: number): boolean {
    return this.sideOf(value) !== 0;
  }

  /** 1 above the range, -1 below it, 0 inside. */
  sideOf(value: number): number {
    return value > this.upper ? 1 : value < this.lower ? -1 : 0;
  }
}
