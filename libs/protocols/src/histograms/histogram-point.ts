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

/** Maximum number of buckets of one point; of a point with more, only count and sum are used. */
export const MAX_BUCKETS = 5000;

/**
 * Counts of exponential buckets, sparse, by ascending index. Bucket `i` contains magnitudes above `base^i` and up to
 * `base^(i+1)`, with `base = 2^(2^-scale)` (the numbering of OpenTelemetry; that of Prometheus is higher by one).
 */
export class SparseBuckets {
  readonly indices: number[] = [];
  readonly counts: number[] = [];

  push(index: number, count: number): void {
    // One more than allowed shows that there are too many.
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
 * One data point of a histogram passed from a parser to `BodyHistograms.add`, which copies what it keeps: a parser
 * creates one of these and reuses it, starting with `clear`.
 */
export class HistogramPoint {
  /** Unix seconds. */
  timestamp = 0;
  /** Unix seconds at which a cumulative histogram started to count; 0 if unknown. */
  startTimestamp = 0;
  temporality: HistogramTemporality = 'cumulative';
  count = 0;
  sum = 0;
  /** False if the sender provides no sum. */
  hasSum = true;
  layout: BucketLayout = 'none';

  /** Explicit: ascending inclusive upper bounds, without the infinite one. */
  readonly bounds: number[] = [];
  /** Explicit: observations per bucket (not cumulative), one more than bounds. */
  readonly counts: number[] = [];

  /** Exponential. */
  scale = 0;
  /** Exponential: half width of the zero bucket. */
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
