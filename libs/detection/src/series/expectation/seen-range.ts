import { F, P } from '../record/layout.js';
import { type SeriesRecord } from '../record/series-record.js';

const { max, min, sqrt } = Math;

/**
 * The range of a series as it was known a day ago: a creep to new values within hours is detected although each step is
 * small. The range narrows by a share per day towards the level, so old excursions are forgotten.
 */

const DAY_SECONDS = 86_400;
/** Share of the distance to the level that is forgotten per day: two thirds in two months. */
const FORGET = 0.02;
/** Number of days that must be known before values outside the range are significant. */
const MIN_DAYS = 3;
/** Rate of the mean that is compared with the range: single values are judged elsewhere. */
const SMOOTH_RATE = 1 / 6;
/** Distance beyond the range, in widths of the range, that is far outside; after few days it must be larger. */
const EXCESS = 0.2;
const EXCESS_YOUNG = 0.7;

/** Mean of the last few values, including `value`. */
export function smoothed(f: Float64Array, value: number): number {
  return f[F.smooth]! + (f[F.count] === 0 ? 1 : SMOOTH_RATE) * (value - f[F.smooth]!);
}

/** True if the mean of the last values is far outside the range. */
export function exceedsRange({ f, p }: SeriesRecord, smooth: number): boolean {
  const high = f[F.rangeHigh]!;
  const low = f[F.rangeLow]!;
  if (!(smooth > high || smooth < low)) return false;
  const days = p[P.rangeDays]!;
  const width = high - low;
  if (days < MIN_DAYS || !(width > 0)) return false;
  return max(smooth - high, low - smooth) / width > EXCESS + EXCESS_YOUNG / sqrt(days);
}

/** Remembers a value; once a day, the values of the last day are added to the range. */
export function rememberRange(record: SeriesRecord, value: number, smooth: number, timestamp: number): void {
  const { f, p } = record;
  f[F.smooth] = smooth;
  if (f[F.count] === 0) {
    f[F.rangeLow] = f[F.rangeHigh] = value;
    beginDay(record, value, timestamp);
    return;
  }
  f[F.dayLow] = min(f[F.dayLow]!, value);
  f[F.dayHigh] = max(f[F.dayHigh]!, value);
  if (timestamp - f[F.rangeAt]! < DAY_SECONDS) return;
  const level = f[F.level]!;
  f[F.rangeLow] = min(f[F.dayLow], f[F.rangeLow]! + FORGET * max(0, level - f[F.rangeLow]!));
  f[F.rangeHigh] = max(f[F.dayHigh], f[F.rangeHigh]! - FORGET * max(0, f[F.rangeHigh]! - level));
  p[P.rangeDays] = p[P.rangeDays]! + 1;
  beginDay(record, value, timestamp);
}

/** The values of today are normal: they are added to the range before the day is over. */
export function acceptRange({ f }: SeriesRecord): void {
  f[F.rangeLow] = min(f[F.dayLow]!, f[F.rangeLow]!);
  f[F.rangeHigh] = max(f[F.dayHigh]!, f[F.rangeHigh]!);
}

function beginDay({ f }: SeriesRecord, value: number, timestamp: number): void {
  f[F.rangeAt] = timestamp;
  f[F.dayLow] = f[F.dayHigh] = value;
}
