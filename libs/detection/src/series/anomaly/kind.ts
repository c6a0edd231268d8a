import { ANOMALY_KINDS, type AnomalyKind } from '#libs/contracts';
import { UNLIKE_SEASON } from '../judgement/evidence.js';
import { AT_OTHER_TIME, B, BESIDE_DAY, DAY_BUCKETS, F, DID_NOT_COME, P } from '../record/layout.js';
import { type Measurement } from '../expectation/measurement.js';
import { dayAt, profileMedian, SEASON_NONE, type SeasonalPoint } from '../season/season.js';
import { type SeriesRecord } from '../record/series-record.js';

const { abs, max, min } = Math;
const { isNaN } = Number;

/** Height of a peak (`F.peakHeight`) from which it is outside its expected range. */
export const PEAK_OUTSIDE = 1;

/** Anomalous slots in one direction after which a deviation is a shift of the level, not a spike. */
const SHIFT_SLOTS = 10;
/** Number of slots after which an anomaly that never left the range is not a spike. */
const FEW_SLOTS = 3;
/** Share of the slots that must deviate the same way for that. */
const SHIFT_SHARE = 0.9;
/** Number of slots that must deviate in each direction for a growing spread. */
const BOTH_DIRECTIONS = 3;
/** Roughness, in usual distances, from which a deviation belongs to a change of the spread. */
const ROUGH = 4;
/** Share of the roughness that existed before the first row: a single jump makes a flat line rough, too. */
const ROUGH_BEFORE = 0.5;
/** The same for a peak within its range. */
const ROUGHER = 2;
/** Distance beyond the range seen before, as a share of that range, that is far outside. */
const FAR_BEYOND = 0.25;
/** A step of fewer usual steps than this is not a jump. */
const JUMP = 5;
/**
 * The season has moved away from the value if the deviation is this many times the first one, and this many times the
 * change of the value.
 */
const LEFT_BEHIND = 4;
/** A daily feature: at least this many usual deviations high, and over at most this share of the day. */
const FEATURE_SPREADS = 4;
const FEATURE_SHARE = 0.25;
/** A value counts as "at the usual level" or "as high as the feature" within this share of the feature's height. */
const FEATURE_TOLERANCE = 0.35;
/** Maximum distance of a feature at the wrong time from its usual time, in ten-minute buckets. */
const FEATURE_REACH = 18;

const NEW_VALUE_RANGE = ANOMALY_KINDS.indexOf('new_value_range');
const SEASONAL_BREAK = ANOMALY_KINDS.indexOf('seasonal_break');

export function kindCode(kind: AnomalyKind): number {
  return ANOMALY_KINDS.indexOf(kind);
}

const LEVEL_SHIFT_UP = kindCode('level_shift_up');
const LEVEL_SHIFT_DOWN = kindCode('level_shift_down');

export function isLevelShift(code: number): boolean {
  return code === LEVEL_SHIFT_UP || code === LEVEL_SHIFT_DOWN;
}

export function kindOf(code: number): AnomalyKind {
  return ANOMALY_KINDS[code] ?? 'spike';
}

/** The kind of the open anomaly after this slot; it may be refined with later slots. */
export function classify(record: SeriesRecord, measured: Measurement): AnomalyKind {
  const { f, p, b } = record;
  const up = p[P.upSlots]!;
  const down = p[P.downSlots]!;
  const slots = p[P.anomalousSlots]!;
  const change = abs(measured.zEvenChange);
  const away = max(change, abs(measured.zEvenDeviation));
  if (b[B.kind] === kindCode('flatline') || (measured.frozen > 0 && away < JUMP)) return 'flatline';
  // A job that is missing, or runs at another time, also makes a series rough.
  if (b[B.offTime] !== 0) return 'seasonal_break';
  // Season evidence over half an hour defines the level, regardless of single rows.
  if (b[B.peakWhich] === UNLIKE_SEASON) return p[P.peakMean]! < 0 ? 'level_shift_down' : 'level_shift_up';
  const isShift = max(up, down) >= SHIFT_SLOTS && max(up, down) >= SHIFT_SHARE * slots;
  // Rough before it was far outside: the spread grew first.
  const wasRough = p[P.roughness]! > ROUGH_BEFORE * measured.roughness;
  if (slots <= 1 && wasRough && measured.zRoughness >= ROUGH && measured.zRoughness >= abs(measured.zSustained)) {
    return 'variance_change';
  }
  if (b[B.kind] === kindCode('variance_change') && measured.zRoughness >= ROUGH && !isShift) return 'variance_change';
  if (up >= BOTH_DIRECTIONS && down >= BOTH_DIRECTIONS && min(up, down) > 0.2 * (up + down)) return 'variance_change';
  if (isShift && doesNotFollow(record, measured)) return 'seasonal_break';
  // A slow move without a jump, far beyond all values seen before.
  if (b[B.kind] === NEW_VALUE_RANGE) return 'new_value_range';
  if (p[P.openJump]! < JUMP && (isShift || slots <= 1) && isFarBeyond(record)) return 'new_value_range';
  if (isShift) return up > down ? 'level_shift_up' : 'level_shift_down';
  // Never outside its range, but unusual in sum: a small shift.
  if (slots >= FEW_SLOTS && p[P.peakWidths] === 0) return up >= down ? 'level_shift_up' : 'level_shift_down';
  if (!isPeakOutside(record)) return kindWithin(record);
  return f[F.peakDeviation]! >= 0 ? 'spike' : 'dip';
}

/** True if the peak is outside both its expected range and the range at the start, on the reported side. */
function isPeakOutside({ f }: SeriesRecord): boolean {
  if (f[F.peakHeight]! < PEAK_OUTSIDE) return false;
  return f[F.peakDeviation]! >= 0 ? f[F.peakValue]! > f[F.upper]! : f[F.peakValue]! < f[F.lower]!;
}

/** The kind of an anomaly without a value that is too high or too low: the values are unusual in combination. */
function kindWithin({ f, p, b }: SeriesRecord): AnomalyKind {
  const peak = f[F.peakValue]! - f[F.origin]!;
  if (peak > f[F.rangeBeforeMax]! || peak < f[F.rangeBeforeMin]!) return 'new_value_range';
  if (b[B.peakIsSudden] === 1 || p[P.peakRoughness]! >= ROUGHER) return 'variance_change';
  return f[F.peakDeviation]! >= 0 ? 'level_shift_up' : 'level_shift_down';
}

/** True if the value stays at its level while the season moves away from it. */
function doesNotFollow({ f, b }: SeriesRecord, measured: Measurement): boolean {
  if (b[B.season] === SEASON_NONE) return false;
  const moved = measured.value + f[F.origin]! - f[F.firstValue]!;
  const before = f[F.firstValue]! - f[F.expected]!;
  const deviation = abs(measured.deviation);
  return (
    b[B.kind] === SEASONAL_BREAK || (deviation > LEFT_BEHIND * abs(before) && deviation > LEFT_BEHIND * abs(moved))
  );
}

/** True if the distance of the peak from the range seen before is a large share of that range. */
function isFarBeyond({ f }: SeriesRecord): boolean {
  const peak = f[F.peakValue]! - f[F.origin]!;
  const low = f[F.rangeBeforeMin]!;
  const high = f[F.rangeBeforeMax]!;
  return max(peak - high, low - peak) > FAR_BEYOND * (high - low);
}

/**
 * Value of `B.offTime`: not 0 if the value is usual, but not at this time, because a feature of the day (such as a
 * nightly job) is missing, or occurs at another time than on other days; else 0.
 */
export function isOffTime(record: SeriesRecord, at: SeasonalPoint, measured: Measurement): number {
  const { b } = record;
  // The day may already be used for judgement when the expected range is not yet based on it.
  if ((b[B.season] === SEASON_NONE && b[B.heldBeside] !== BESIDE_DAY) || isNaN(at.daily)) return 0;
  const usual = profileMedian(record);
  const expected = at.daily - usual;
  const isExpected = abs(expected) > FEATURE_SPREADS * measured.spread && isNarrow(record, usual, expected);
  if (isExpected) return abs(measured.value - usual) < FEATURE_TOLERANCE * abs(expected) ? DID_NOT_COME : 0;
  const height = measured.value - usual;
  if (abs(height) <= FEATURE_SPREADS * measured.spread) return 0;
  for (let step = -FEATURE_REACH; step <= FEATURE_REACH; step++) {
    const there = dayAt(record, (at.dayBucket + step + DAY_BUCKETS) % DAY_BUCKETS) - usual;
    if (abs(there) > FEATURE_SPREADS * measured.spread && abs(height - there) < FEATURE_TOLERANCE * abs(there)) {
      return isNarrow(record, usual, there) ? AT_OTHER_TIME : 0;
    }
  }
  return 0;
}

function isNarrow(record: SeriesRecord, usual: number, height: number): boolean {
  let alike = 0;
  let known = 0;
  for (let bucket = 0; bucket < DAY_BUCKETS; bucket++) {
    const value = dayAt(record, bucket);
    if (isNaN(value)) continue;
    known++;
    if ((value - usual) / height > 0.5) alike++;
  }
  return alike <= max(1, FEATURE_SHARE * known);
}
