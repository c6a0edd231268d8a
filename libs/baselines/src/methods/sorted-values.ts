const { abs } = Math;

/**
 * A bounded collection of numbers in ascending order. Adding and removing moves O(count) numbers, reading is O(log
 * count).
 */
export class SortedValues {
  count = 0;
  private readonly rising: Float64Array;

  constructor(capacity: number) {
    this.rising = new Float64Array(capacity);
  }

  /** The value of this rank, counted from 0. */
  at(rank: number): number {
    return this.rising[rank]!;
  }

  /** Number of values below `value`. */
  countBelow(value: number): number {
    let low = 0;
    let high = this.count;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.rising[middle]! < value) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  add(value: number): void {
    const place = this.countBelow(value);
    this.rising.copyWithin(place + 1, place, this.count);
    this.rising[place] = value;
    this.count += 1;
  }

  /** `value` must be in the collection. */
  remove(value: number): void {
    const place = this.countBelow(value);
    this.rising.copyWithin(place, place + 1, this.count);
    this.count -= 1;
  }

  /** NaN if empty. */
  median(): number {
    const middle = this.count >>> 1;
    const upper = this.rising[middle]!;
    if (this.count === 0) return NaN;
    return this.count % 2 === 1 ? upper : (this.rising[middle - 1]! + upper) / 2;
  }

  /** Median of the distances from `centre`. NaN if empty. */
  medianDistance(centre: number): number {
    if (this.count === 0) return NaN;
    const middle = this.count >>> 1;
    const upper = this.distanceOfRank(centre, middle);
    return this.count % 2 === 1 ? upper : (this.distanceOfRank(centre, middle - 1) + upper) / 2;
  }

  /** Mean of the distances from `centre`. O(count). NaN if empty. */
  meanDistance(centre: number): number {
    let sum = 0;
    for (let rank = 0; rank < this.count; rank++) sum += abs(this.rising[rank]! - centre);
    return sum / this.count;
  }

  /**
   * The distance of rank `rank` from `centre`: distances increase on either side of it, so this selects a rank from two
   * ascending lists, by bisection on the number of values from the lower side.
   */
  private distanceOfRank(centre: number, rank: number): number {
    const { rising, count } = this;
    const split = this.countBelow(centre);
    const wanted = rank + 1;
    let low = wanted > count - split ? wanted - (count - split) : 0;
    let high = wanted < split ? wanted : split;
    while (low < high) {
      const fromBelow = (low + high) >>> 1;
      const fromAbove = wanted - fromBelow;
      const nextBelow = centre - rising[split - 1 - fromBelow]!;
      const lastAbove = rising[split + fromAbove - 1]! - centre;
      if (nextBelow < lastAbove) low = fromBelow + 1;
      else high = fromBelow;
    }
    const below = low > 0 ? centre - rising[split - low]! : -Infinity;
    const above = wanted - low > 0 ? rising[split + (wanted - low) - 1]! - centre : -Infinity;
    return below > above ? below : above;
  }
}
