import { type Counts } from './counts.js';

/**
 * Observations between given bounds. Bucket `i` contains values above bound `i - 1` and up to bound `i`; the last
 * bucket, which has no bound, contains all larger values.
 */
export class ExplicitCounts implements Counts {
  /** @param bounds ascending @param counts one more than bounds */
  constructor(
    readonly bounds: readonly number[],
    readonly counts: readonly number[],
  ) {}

  get bytes(): number {
    return 200 + 8 * (this.bounds.length + this.counts.length);
  }

  minus(other: Counts): Counts | null {
    return this.combine(other, -1);
  }

  plus(other: Counts): Counts | null {
    return this.combine(other, 1);
  }

  hasFallen(): boolean {
    for (const count of this.counts) if (count < 0) return true;
    return false;
  }

  /**
   * Linear within a bucket. The first bucket begins at 0, unless its bound is negative: then, as in the last bucket,
   * its one known bound represents all of it. This is how PromQL's `histogram_quantile` estimates.
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
    const counts: number[] = [];
    for (let i = 0; i < this.counts.length; i++) counts.push(this.counts[i]! + sign * other.counts[i]!);
    return new ExplicitCounts(other.bounds, counts);
  }

  private hasBoundsOf({ bounds }: ExplicitCounts): boolean {
    if (this.bounds === bounds) return true;
    if (this.bounds.length !== bounds.length) return false;
    for (let i = 0; i < bounds.length; i++) if (this.bounds[i] !== bounds[i]) return false;
    return true;
  }
}

function within(lower: number | null, upper: number, fraction: number): number {
  if (lower === null) return upper <= 0 ? upper : upper * fraction;
  return lower + (upper - lower) * fraction;
}
