import { type Counts } from './counts.js';
import { ExplicitCounts } from './explicit-counts.js';
import { ExponentialCounts, type BucketColumns } from './exponential-counts.js';
import { type RememberedHistogram } from './histogram-memory.js';
import { type HistogramPoint, type HistogramTemporality, MAX_BUCKETS, type SparseBuckets } from './histogram-point.js';

/** The stored state of a histogram that arrives complete. */
export class NativeState implements RememberedHistogram {
  constructor(
    readonly temporality: HistogramTemporality,
    readonly slot: number,
    /** Unix seconds of the last point. */
    readonly timestamp: number,
    /** Unix seconds; 0 if unknown. */
    readonly startTimestamp: number,
    /** Counts of the last point; of delta points, their total within the slot. */
    readonly counts: Counts,
    /** Counts at the start of the slot: negative when counting restarted within the slot. */
    readonly base: Counts,
  ) {}

  get bytes(): number {
    return 200 + this.counts.bytes + (this.base === this.counts ? 0 : this.base.bytes);
  }
}

/** The effect of a point: the new state, and the observations within the slot (null: not known yet). */
export interface Step {
  state: NativeState;
  increase: Counts | null;
}

/** Applies the next point of a cumulative or delta histogram; null if the point is older than the known state. */
export function nextStep(
  before: NativeState | undefined,
  point: HistogramPoint,
  counts: Counts,
  slot: number,
): Step | null {
  const { temporality, timestamp, startTimestamp } = point;
  const remember = (current: Counts, base: Counts): NativeState =>
    new NativeState(temporality, slot, timestamp, startTimestamp, current, base);
  if (before?.temporality !== temporality) {
    return { state: remember(counts, counts), increase: temporality === 'delta' ? counts : null };
  }
  if (temporality === 'delta') {
    // The same point again must not count twice.
    if (timestamp <= before.timestamp) return null;
    const total = (slot === before.slot ? before.counts.plus(counts) : null) ?? counts;
    return { state: remember(total, total), increase: total };
  }
  if (timestamp < before.timestamp) return null;
  const change = counts.minus(before.counts);
  const isReset =
    change?.hasFallen() === true || (startTimestamp !== before.startTimestamp && startTimestamp >= before.timestamp);
  const sinceSlot = slot > before.slot ? before.counts : before.base;
  const base = isReset ? sinceSlot.minus(before.counts) : sinceSlot;
  const increase = base === before.counts ? change : base === null ? null : counts.minus(base);
  // The bounds have changed: later points are compared with this one.
  if (base === null || increase === null) return { state: remember(counts, counts), increase: null };
  return { state: remember(counts, base), increase };
}

/** Scales in use are from -10 to 20 (OpenTelemetry) and -4 to 8 (Prometheus). */
const MAX_SCALE = 20;
const MIN_SCALE = -11;

/** The buckets of a point; null if it has no usable ones. */
export function countsOf(point: HistogramPoint): Counts | null {
  if (point.layout === 'explicit') return explicitCountsOf(point);
  return point.layout === 'exponential' ? exponentialCountsOf(point) : null;
}

function explicitCountsOf({ bounds, counts }: HistogramPoint): ExplicitCounts | null {
  if (bounds.length === 0 || bounds.length > MAX_BUCKETS || counts.length !== bounds.length + 1) return null;
  if (!isAscending(bounds) || !areCounts(counts)) return null;
  return new ExplicitCounts(bounds.slice(), counts.slice());
}

function exponentialCountsOf(point: HistogramPoint): ExponentialCounts | null {
  const { scale, zeroThreshold, zeroCount } = point;
  if (!Number.isInteger(scale) || scale > MAX_SCALE || scale < MIN_SCALE) return null;
  if (!isCount(zeroCount) || !isCount(zeroThreshold)) return null;
  const positive = columnsOf(point.positive);
  const negative = columnsOf(point.negative);
  if (positive === null || negative === null) return null;
  return new ExponentialCounts(scale, zeroThreshold, zeroCount, positive, negative);
}

function columnsOf({ indices, counts }: SparseBuckets): BucketColumns | null {
  if (indices.length > MAX_BUCKETS || !isAscending(indices) || !areCounts(counts)) return null;
  // Ascending whole numbers: if the outermost are in range, all are.
  if (indices.length > 0 && (!isInt32(indices[0]!) || !isInt32(indices[indices.length - 1]!))) return null;
  return { indices: indices.slice(), counts: counts.slice() };
}

function isInt32(value: number): boolean {
  return value === (value | 0);
}

function isCount(value: number): boolean {
  return value >= 0 && value < Infinity;
}

function areCounts(values: readonly number[]): boolean {
  for (const value of values) if (!isCount(value)) return false;
  return true;
}

function isAscending(values: readonly number[]): boolean {
  for (let i = 0; i < values.length; i++) {
    if (!Number.isFinite(values[i]!) || (i > 0 && values[i]! <= values[i - 1]!)) return false;
  }
  return true;
}
