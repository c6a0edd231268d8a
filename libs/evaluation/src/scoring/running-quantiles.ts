import { rowsByScore } from './rows-by-score.js';

const { clz32, floor } = Math;

/**
 * Empirical quantiles of the first numbers of a column, for one more of them at a time. The order of all is worked out
 * beforehand, but a quantile is read from the numbers added so far alone. Each step is O(log n): a Fenwick tree (1994)
 * counts what was added, by rank.
 */
export class RunningQuantiles {
  /** Numbers added. */
  count = 0;
  /** Place of each number in rising order, from 0; -1 for NaN. */
  private readonly ranks: Int32Array;
  private readonly rising: Float64Array;
  private readonly tree: Uint32Array;
  private readonly topBit: number;

  /** NaN in the column are skipped. */
  constructor(column: Float64Array) {
    const rising = rowsByScore(column).reverse();
    this.ranks = new Int32Array(column.length).fill(-1);
    rising.forEach((at, rank) => (this.ranks[at] = rank));
    this.rising = Float64Array.from(rising, (at) => column[at]!);
    this.tree = new Uint32Array(rising.length + 1);
    this.topBit = rising.length === 0 ? 0 : 1 << (31 - clz32(rising.length));
  }

  /** Adds the number at this place of the column; each place once. */
  add(at: number): void {
    const rank = this.ranks[at]!;
    if (rank === -1) return;
    this.count += 1;
    for (let node = rank + 1; node < this.tree.length; node += node & -node) this.tree[node]! += 1;
  }

  /**
   * Quantile of the added numbers, `share` 0..1, linear between neighbours (type 7 of Hyndman & Fan 1996, as in R and
   * numpy); NaN if nothing was.
   */
  quantile(share: number): number {
    if (this.count === 0) return NaN;
    const place = share * (this.count - 1);
    const below = floor(place);
    const low = this.smallest(below);
    return place === below ? low : low + (place - below) * (this.smallest(below + 1) - low);
  }

  /** The number added that has `before` others before it. */
  private smallest(before: number): number {
    let node = 0;
    let left = before + 1;
    for (let step = this.topBit; step > 0; step >>= 1) {
      const next = node + step;
      if (next < this.tree.length && this.tree[next]! < left) {
        node = next;
        left -= this.tree[next]!;
      }
    }
    return this.rising[node]!;
  }
}
