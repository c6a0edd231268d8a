import { type Counts } from './counts.js';

/**
 * Observations between given bounds. Bucket `i` holds what is above bound `i - 1` and at most bound `i`; the last one,
 * which has no bound, everything above.
 */
export class ExplicitCounts implements Counts {
  /** @param bounds ascending @param counts one more than bounds */
  constructor(
    readonly bounds: Float64Array,
    readonly counts: Float64Array,
  ) {}

  get bytes(): number {
    return 200 + this.bounds.byteLength + this.counts.byteLength;
  }

  minus(other: Counts): Counts | null {
    return this.combine(other, -1);
  }

  plus(other: Counts): Counts | null {
    return this.combine(other, 1);
  }

  hasFallenFrom(before: Counts): boolean {
    if (!(before instanceof ExplicitCounts) || !this.hasBoundsOf(before)) return false;
    return this.counts.some((count, i) => count < before.counts[i]!);
  }

  /**
   * Linear within a bucket. The first bucket begins at 0, unless its bound is negative: then, as in the last bucket, its
   * one known bound stands for all of it. This is how PromQL's `histogram_quantile` estimates.
   */
  quantiles(wanted: readonly number[]): number[] {
    const { bounds, counts } = this;
    let total = 0;
    for (const count of counts) if (count > 0) total += count;
    return wanted.map((q) => {
      if (total === 0 || bounds.length === 0) return NaN;
      const rank = q * total;
      let below = 0;
      for (let i = 0; i < bounds.length; i++) {
        const count = counts[i]!;
        if (!(count > 0)) continue;
        if (below + count >= rank) return within(i === 0 ? null : bounds[i - 1]!, bounds[i]!, (rank - below) / count);
        below += count;
      }
      return bounds[bounds.length - 1]!;
    });
  }

  private combine(other: Counts, sign: 1 | -1): ExplicitCounts | null {
    if (!(other instanceof ExplicitCounts) || !this.hasBoundsOf(other)) return null;
    return new ExplicitCounts(
      this.bounds,
      this.counts.map((count, i) => count + sign * other.counts[i]!),
    );
  }

  private hasBoundsOf(other: ExplicitCounts): boolean {
    if (this.bounds === other.bounds) return true;
    return this.bounds.length === other.bounds.length && this.bounds.every((bound, i) => bound === other.bounds[i]);
  }
}

function within(lower: number | null, upper: number, fraction: number): number {
  if (lower === null) return upper <= 0 ? upper : upper * fraction;
  return lower + (upper - lower) * fraction;
}
