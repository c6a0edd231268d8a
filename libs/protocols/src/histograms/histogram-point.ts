/**
 * The meaning of the counts of a point: all observations since a start (`cumulative`), those since the point before
 * (`delta`), or those that exist at this moment (`gauge`).
 */
export type HistogramTemporality = 'cumulative' | 'delta' | 'gauge';

/**
 * `explicit`: buckets between given bounds. `exponential`: bounds are powers of a base. `none`: the point has no usable
 * buckets, only a count and a sum.
 */
export type BucketLayout = 'none' | 'explicit' | 'exponential';

/** Buckets taken of one point; one with more has only its count and sum used. */
export const MAX_BUCKETS = 5000;

/**
 * Counts of exponential buckets, sparse, by ascending index. Bucket `i` holds what is above `base^i` and at most
 * `base^(i+1)`, in magnitude, with `base = 2^(2^-scale)` (OpenTelemetry's numbering; that of Prometheus is higher by one).
 */
export class SparseBuckets {
  readonly indices: number[] = [];
  readonly counts: number[] = [];

  push(index: number, count: number): void {
    // One too many shows that there are.
    if (this.indices.length > MAX_BUCKETS) return;
    this.indices.push(index);
    this.counts.push(count);
  }

  clear(): void {
    this.indices.length = 0;
    this.counts.length = 0;
  }
}

/**
 * One data point of a histogram on its way from a parser to `BodyHistograms.add`, which copies what it keeps: a parser
 * makes one of these and fills it again and again, beginning with `clear`.
 */
export class HistogramPoint {
  /** Unix seconds. */
  timestamp = 0;
  /** Unix seconds at which a cumulative histogram began to count; 0 when not known. */
  startTimestamp = 0;
  temporality: HistogramTemporality = 'cumulative';
  count = 0;
  sum = 0;
  /** False when the sender gives no sum. */
  hasSum = true;
  layout: BucketLayout = 'none';

  /** Explicit: ascending, inclusive upper bounds, without the infinite one. */
  readonly bounds: number[] = [];
  /** Explicit: observations per bucket (not added up), one more than bounds. */
  readonly counts: number[] = [];

  /** Exponential. */
  scale = 0;
  /** Exponential: the zero bucket reaches so far to both sides. */
  zeroThreshold = 0;
  zeroCount = 0;
  readonly positive = new SparseBuckets();
  readonly negative = new SparseBuckets();

  clear(): void {
    this.timestamp = 0;
    this.startTimestamp = 0;
    this.temporality = 'cumulative';
    this.count = 0;
    this.sum = 0;
    this.hasSum = true;
    this.layout = 'none';
    this.bounds.length = 0;
    this.counts.length = 0;
    this.scale = 0;
    this.zeroThreshold = 0;
    this.zeroCount = 0;
    this.positive.clear();
    this.negative.clear();
  }
}
