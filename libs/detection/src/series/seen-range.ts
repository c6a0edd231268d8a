import { F } from './layout.js';

const { max, min, sqrt } = Math;

/**
 * The range a series has kept to, as known a day ago: what creeps somewhere new within hours is seen, although each
 * step is small. The range narrows by a share per day towards the level, so that old excursions are forgotten.
 */

const DAY_SECONDS = 86_400;
/** Share of the distance to the level forgotten per day: two thirds in two months. */
const FORGET = 0.02;
/** Days known before leaving the range means something. */
const LEAST_DAYS = 3;
/** Rate of the mean that is held against the range: single values are judged elsewhere. */
const SMOOTH_RATE = 1 / 6;
/** Excess over the range, in widths of the range, that is far; more is needed after few days. */
const EXCESS = 0.2;
const EXCESS_YOUNG = 0.7;

/** Mean of the last few values after `value`. */
export function smoothed(f: Float64Array, value: number): number {
  return f[F.smooth]! + (f[F.count] === 0 ? 1 : SMOOTH_RATE) * (value - f[F.smooth]!);
}

/** True when the mean of the last values lies far outside the range. */
export function leavesRange(f: Float64Array, smooth: number): boolean {
  const high = f[F.rangeHigh]!;
  const low = f[F.rangeLow]!;
  if (!(smooth > high || smooth < low)) return false;
  const days = f[F.rangeDays]!;
  const width = high - low;
  if (days < LEAST_DAYS || !(width > 0)) return false;
  return max(smooth - high, low - smooth) / width > EXCESS + EXCESS_YOUNG / sqrt(days);
}

/** Remembers a value; once a day the last day's values join the range. */
export function rememberRange(f: Float64Array, value: number, smooth: number, timestamp: number): void {
  f[F.smooth] = smooth;
  if (f[F.count] === 0) {
    f[F.rangeLow] = f[F.rangeHigh] = value;
    beginDay(f, value, timestamp);
    return;
  }
  f[F.dayLow] = min(f[F.dayLow]!, value);
  f[F.dayHigh] = max(f[F.dayHigh]!, value);
  if (timestamp - f[F.rangeAt]! < DAY_SECONDS) return;
  const level = f[F.level]!;
  f[F.rangeLow] = min(f[F.dayLow], f[F.rangeLow]! + FORGET * max(0, level - f[F.rangeLow]!));
  f[F.rangeHigh] = max(f[F.dayHigh], f[F.rangeHigh]! - FORGET * max(0, f[F.rangeHigh]! - level));
  f[F.rangeDays] = f[F.rangeDays]! + 1;
  beginDay(f, value, timestamp);
}

/** What was seen today is normal: it joins the range before the day is over. */
export function acceptRange(f: Float64Array): void {
  f[F.rangeLow] = min(f[F.dayLow]!, f[F.rangeLow]!);
  f[F.rangeHigh] = max(f[F.dayHigh]!, f[F.rangeHigh]!);
}

function beginDay(f: Float64Array, value: number, timestamp: number): void {
  f[F.rangeAt] = timestamp;
  f[F.dayLow] = f[F.dayHigh] = value;
}
