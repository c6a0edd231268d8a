import { ANOMALY_KINDS, type AnomalyKind } from '#libs/contracts';
import { DAY_AT, DAY_BUCKETS, F } from './layout.js';
import { type Measurement } from './measurement.js';
import { profileMedian, SEASON_NONE, type SeasonalPoint } from './season.js';
import { type SeriesRecord } from './series-record.js';

const { abs, max, min } = Math;
const { isNaN } = Number;

/** Anomalous slots in one direction after which a deviation is a shift of the level, not a spike. */
const SHIFT_SLOTS = 10;
/** Share of the slots that must deviate the same way for that. */
const SHIFT_SHARE = 0.9;
/** Slots that must deviate each way for a growing spread. */
const BOTH_WAYS = 3;
/** Evidence of the spread test from which a deviation belongs to a change of the spread. */
const ROUGH = 2.5;
/** A daily feature: at least this many usual deviations high, and over at most this share of the day. */
const FEATURE_SPREADS = 4;
const FEATURE_SHARE = 0.25;
/** A value counts as "at the usual level" or "as high as the feature" within this share of the feature's height. */
const FEATURE_TOLERANCE = 0.35;
/** A feature at the wrong time lies this many ten-minute buckets away at most. */
const FEATURE_REACH = 18;

export function kindCode(kind: AnomalyKind): number {
  return ANOMALY_KINDS.indexOf(kind);
}

export function kindOf(code: number): AnomalyKind {
  return ANOMALY_KINDS[code] ?? 'spike';
}

/** What the open anomaly looks like after this slot: its kind may be refined as more of it is seen. */
export function classify(record: SeriesRecord, measured: Measurement): AnomalyKind {
  const { f } = record;
  const [change, deviation, sustained, spread, , frozen, newRange] = measured.evidence as unknown as Evidence;
  const away = max(change, deviation, sustained);
  const up = f[F.upSlots]!;
  const down = f[F.downSlots]!;
  const slots = f[F.anomalousSlots]!;
  if (f[F.kind] === kindCode('flatline') || (frozen > 0 && frozen >= max(deviation, sustained))) {
    return 'flatline';
  }
  const isShift = max(up, down) >= SHIFT_SLOTS && max(up, down) >= SHIFT_SHARE * slots;
  // Rough before it went far: the spread grew first.
  if (slots <= 1 && spread >= ROUGH && spread >= max(sustained, newRange)) return 'variance_change';
  if (f[F.kind] === kindCode('variance_change') && spread >= ROUGH && !isShift) return 'variance_change';
  if (up >= BOTH_WAYS && down >= BOTH_WAYS && min(up, down) > 0.2 * (up + down)) return 'variance_change';
  if (f[F.offTime] === 1) return 'seasonal_break';
  // A slow way into values never seen before, without a jump.
  if (slots <= 1 && change < 3 && (newRange > away || isBeyond(f, measured.value))) return 'new_value_range';
  if (f[F.kind] === kindCode('new_value_range') && change < 3) return 'new_value_range';
  if (isShift) return up > down ? 'level_shift_up' : 'level_shift_down';
  return f[F.peakDeviation]! >= 0 ? 'spike' : 'dip';
}

type Evidence = readonly [number, number, number, number, number, number, number];

function isBeyond(f: Float64Array, value: number): boolean {
  return value > f[F.rangeBeforeMax]! || value < f[F.rangeBeforeMin]!;
}

/**
 * True when the value is usual, but not now: a feature of the day (a nightly job, say) is missing, or is there at
 * another time than on other days.
 */
export function isOffTime(record: SeriesRecord, at: SeasonalPoint, measured: Measurement, timestamp: number): boolean {
  const { f, p } = record;
  if (f[F.season] === SEASON_NONE || isNaN(at.daily)) return false;
  const usual = profileMedian(record, timestamp);
  const due = at.daily - usual;
  const isDue = abs(due) > FEATURE_SPREADS * measured.spread && isNarrow(p, usual, due);
  if (isDue) return abs(measured.value - usual) < FEATURE_TOLERANCE * abs(due);
  const height = measured.value - usual;
  if (abs(height) <= FEATURE_SPREADS * measured.spread) return false;
  for (let step = -FEATURE_REACH; step <= FEATURE_REACH; step++) {
    const there = p[DAY_AT + ((at.dayBucket + step + DAY_BUCKETS) % DAY_BUCKETS)]! - usual;
    if (abs(there) > FEATURE_SPREADS * measured.spread && abs(height - there) < FEATURE_TOLERANCE * abs(there)) {
      return isNarrow(p, usual, there);
    }
  }
  return false;
}

function isNarrow(p: Float32Array, usual: number, height: number): boolean {
  let alike = 0;
  let known = 0;
  for (let i = DAY_AT; i < DAY_AT + DAY_BUCKETS; i++) {
    if (isNaN(p[i]!)) continue;
    known++;
    if ((p[i]! - usual) / height > 0.5) alike++;
  }
  return alike <= max(1, FEATURE_SHARE * known);
}
