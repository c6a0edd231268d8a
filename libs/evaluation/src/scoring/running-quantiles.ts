import { rowsByScore } from './rows-by-score.js';

const { clz32, floor } = Math;

/**
 * Empirical quantiles of the numbers of a column that were added so far. The order of all numbers is computed in
 * advance, but a quantile uses only the added ones. Each step is O(log n): a Fenwick tree (1994) counts the added
 * numbers by rank.
 */
export class RunningQuantiles {
  /** Number of added numbers. */
  count = 0;
  /** Rank of each number in ascending order, from 0; -1 for NaN. */
  private readonly ranks: Int32Array;
  private readonly rising: Float64Array;
  private readonly tree: Uint32Array;
  private readonly topBit: number;

  /** NaN in the column is skipped. */
  constructor(column: Float64Array) {
    const rising = rowsByScore(column).reverse();
    this.ranks = new Int32Array(column.length).fill(-1);
    rising.forEach((at, rank) => (this.ranks[at] = rank));
    this.rising = Float64Array.from(rising, (at) => column[at]!);
    this.tree = new Uint32Array(rising.length + 1);
    this.topBit = rising.length === 0 ? 0 : 1 << (31 - clz32(rising.length));
  }

  /** Adds the number at this index of the column; each index once. */
  add(at: number): void {
    const rank = this.ranks[at]!;
    if (rank === -1) return;
    this.count += 1;
    for (let node = rank + 1; node < this.tree.length; node += node & -node) this.tree[node]! += 1;
  }

  /**
   * Quantile of the added numbers, `share` 0..1, linear between neighbours (type 7 of Hyndman & Fan 1996, as in R and
   * numpy); NaN if there are none.
   */
  quantile(share: number): number {
    if (this.count === 0) return NaN;
    const place = share * (this.count - 1);
    const below = floor(place);
    const low = this.smallest(below);
    return place === below ? low : low + (place - below) * (this.smallest(below + 1) - low);
  }

  /** The added number with `before` smaller or equal ones before it. */
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
