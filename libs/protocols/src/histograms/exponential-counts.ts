import { type Counts } from './counts.js';

/**
 * Sparse buckets as columns, ascending by index; see SparseBuckets for the meaning of an index. Plain arrays: for so
 * few numbers, creating typed arrays costs more than all other work.
 */
export interface BucketColumns {
  readonly indices: readonly number[];
  readonly counts: readonly number[];
}

/** Observations in buckets whose bounds are powers of `2^(2^-scale)`, and in one around zero. */
export class ExponentialCounts implements Counts {
  constructor(
    readonly scale: number,
    readonly zeroThreshold: number,
    readonly zeroCount: number,
    readonly positive: BucketColumns,
    readonly negative: BucketColumns,
  ) {}

  get bytes(): number {
    return 400 + 16 * (this.positive.indices.length + this.negative.indices.length);
  }

  minus(other: Counts): Counts | null {
    return this.combine(other, -1);
  }

  plus(other: Counts): Counts | null {
    return this.combine(other, 1);
  }

  hasFallen(): boolean {
    return this.zeroCount < 0 || hasNegative(this.positive.counts) || hasNegative(this.negative.counts);
  }

  /**
   * Exponential within a bucket (equal steps on a logarithmic axis), linear within the zero bucket, of which only the
   * half counts that is on the side of other observations. PromQL does the same since version 3.
   */
  quantiles(wanted: readonly number[]): number[] {
    const { positive, negative, zeroCount, zeroThreshold } = this;
    const negativeTotal = totalOf(negative);
    const positiveTotal = totalOf(positive);
    const zeroTotal = Math.max(zeroCount, 0);
    const total = negativeTotal + zeroTotal + positiveTotal;
    return wanted.map((q) => {
      if (total === 0) return NaN;
      const rank = q * total;
      if (rank <= negativeTotal && negativeTotal > 0) return -this.magnitudeAt(negative, negativeTotal - rank);
      if (rank <= negativeTotal + zeroTotal && zeroTotal > 0) {
        const lower = negativeTotal === 0 && positiveTotal > 0 ? 0 : -zeroThreshold;
        const upper = positiveTotal === 0 && negativeTotal > 0 ? 0 : zeroThreshold;
        return lower + (upper - lower) * ((rank - negativeTotal) / zeroTotal);
      }
      return this.magnitudeAt(positive, rank - negativeTotal - zeroTotal);
    });
  }

  /** The same observations with a coarser scale: `2^steps` buckets become one. */
  coarser(steps: number): ExponentialCounts {
    if (steps <= 0) return this;
    const { scale, zeroThreshold, zeroCount, positive, negative } = this;
    return new ExponentialCounts(
      scale - steps,
      zeroThreshold,
      zeroCount,
      coarserColumns(positive, steps),
      coarserColumns(negative, steps),
    );
  }

  /** Upper bound of a bucket, in magnitude. */
  boundAbove(index: number): number {
    return 2 ** ((index + 1) * 2 ** -this.scale);
  }

  /** The position of the observation of a rank, counted from zero outwards. */
  private magnitudeAt({ indices, counts }: BucketColumns, rank: number): number {
    let below = 0;
    let last = NaN;
    for (let i = 0; i < indices.length; i++) {
      const count = counts[i]!;
      if (!(count > 0)) continue;
      if (below + count >= rank) return 2 ** ((indices[i]! + (rank - below) / count) * 2 ** -this.scale);
      below += count;
      last = this.boundAbove(indices[i]!);
    }
    return last;
  }

  private combine(other: Counts, sign: 1 | -1): ExponentialCounts | null {
    if (!(other instanceof ExponentialCounts)) return null;
    const scale = Math.min(this.scale, other.scale);
    const threshold = Math.max(this.zeroThreshold, other.zeroThreshold);
    const mine = this.coarser(this.scale - scale).withZeroThreshold(threshold);
    const theirs = other.coarser(other.scale - scale).withZeroThreshold(threshold);
    return new ExponentialCounts(
      scale,
      threshold,
      mine.zeroCount + sign * theirs.zeroCount,
      combineColumns(mine.positive, theirs.positive, sign),
      combineColumns(mine.negative, theirs.negative, sign),
    );
  }

  /** Buckets that a wider zero bucket covers become part of it. */
  private withZeroThreshold(threshold: number): ExponentialCounts {
    if (threshold === this.zeroThreshold) return this;
    let { zeroCount } = this;
    const keepAbove = (columns: BucketColumns): BucketColumns => {
      let from = 0;
      while (from < columns.indices.length && this.boundAbove(columns.indices[from]!) <= threshold) {
        zeroCount += columns.counts[from++]!;
      }
      if (from === 0) return columns;
      return { indices: columns.indices.slice(from), counts: columns.counts.slice(from) };
    };
    const positive = keepAbove(this.positive);
    const negative = keepAbove(this.negative);
    return new ExponentialCounts(this.scale, threshold, zeroCount, positive, negative);
  }
}

function totalOf({ counts }: BucketColumns): number {
  let total = 0;
  for (const count of counts) if (count > 0) total += count;
  return total;
}

function coarserColumns({ indices, counts }: BucketColumns, steps: number): BucketColumns {
  const merged = { indices: [] as number[], counts: [] as number[] };
  // An index has 31 bits and a sign; shifting by more would begin at zero again.
  const shift = Math.min(steps, 31);
  for (let i = 0; i < indices.length; i++) {
    const index = indices[i]! >> shift;
    const last = merged.indices.length - 1;
    if (last >= 0 && merged.indices[last] === index) {
      merged.counts[last]! += counts[i]!;
    } else {
      merged.indices.push(index);
      merged.counts.push(counts[i]!);
    }
  }
  return merged;
}

function combineColumns(a: BucketColumns, b: BucketColumns, sign: 1 | -1): BucketColumns {
  if (haveSameIndices(a.indices, b.indices)) {
    const counts: number[] = [];
    for (let i = 0; i < a.counts.length; i++) counts.push(a.counts[i]! + sign * b.counts[i]!);
    return { indices: a.indices, counts };
  }
  const indices: number[] = [];
  const counts: number[] = [];
  let i = 0;
  let j = 0;
  while (i < a.indices.length || j < b.indices.length) {
    const left = i < a.indices.length ? a.indices[i]! : Infinity;
    const right = j < b.indices.length ? b.indices[j]! : Infinity;
    indices.push(Math.min(left, right));
    counts.push((left <= right ? a.counts[i]! : 0) + (right <= left ? sign * b.counts[j]! : 0));
    if (left <= right) i++;
    if (right <= left) j++;
  }
  return { indices, counts };
}

function haveSameIndices(a: readonly number[], b: readonly number[]): boolean {
  if (a === b) return true;
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

function hasNegative(counts: readonly number[]): boolean {
  for (const count of counts) if (count < 0) return true;
  return false;
}
