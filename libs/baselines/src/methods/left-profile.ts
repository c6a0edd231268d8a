const { abs, max, min, sqrt } = Math;

/** Interval at which all sums of products are recomputed, rows: rounding errors must not accumulate. */
const RENEW_ROWS = 1024;
/**
 * Values are limited to this multiple of their initial spread: the square of an outburst must not hide later values.
 */
const MAX_MAGNITUDE = 1e6;
/** A subsequence whose deviation is below this share of the initial spread is flat: it has no shape. */
const FLAT = 1e-9;

/**
 * Distance of the latest `length` values from the nearest earlier run of values within `history` rows, both normalised
 * to mean 0 and deviation 1 (left matrix profile). Overlapping runs do not count; flat runs are equal to each other and
 * have nothing in common with others. The sums of products of every lag are updated from row to row: O(history) per
 * row. Source: Yeh et al. (2016), "Matrix Profile I"; Zhu et al. (2016), "Matrix Profile II" (STOMP), for the updated
 * sums; Lu et al. (2022), "Matrix Profile XXIV" (DAMP), for searching only to the left.
 */
export class LeftProfile {
  /** Standard deviation of the latest run or of its nearest neighbour, whichever is larger; Infinity if one is flat. */
  deviation = Infinity;
  /** The latest rows; `end` is the index after the newest. */
  private readonly values: Float64Array;
  private readonly means: Float64Array;
  /** 1 / (deviation · sqrt(length)) of the run that ends at each row; 0 if it is flat. */
  private readonly weights: Float64Array;
  private end = 0;
  private rows = 0;
  /** Sum of products of the latest run and the one `lag` rows before it, for lags up to `mostLag`. */
  private readonly products: Float64Array;
  private mostLag: number;
  private centre = 0;
  private scale = 1;

  /** @throws RangeError if `history` is shorter than `length` */
  constructor(
    private readonly length: number,
    private readonly history: number,
  ) {
    if (history < length) throw new RangeError(`a history of ${history} rows holds no earlier run of ${length}`);
    const kept = 2 * (history + length + 1);
    this.values = new Float64Array(kept);
    this.means = new Float64Array(kept);
    this.weights = new Float64Array(kept);
    this.products = new Float64Array(history + 1);
    this.mostLag = length - 1;
  }

  /**
   * Adds a value. Returns the distance of the run that ends with it, 0 .. 2 sqrt(length); NaN while there is no earlier
   * run.
   */
  add(value: number): number {
    this.makeRoom();
    const newest = this.end;
    // Until the first run is complete, the scale is unknown.
    this.values[newest] = this.rows < this.length ? value : this.scaled(value);
    this.end += 1;
    this.rows += 1;
    if (this.rows < this.length) return NaN;
    if (this.rows === this.length) this.setScale();
    this.measureRun(newest);
    this.carryProducts(newest);
    return this.mostLag < this.length ? NaN : this.distance(newest);
  }

  private makeRoom(): void {
    if (this.end < this.values.length) return;
    const from = this.values.length / 2;
    for (const column of [this.values, this.means, this.weights]) column.copyWithin(0, from);
    this.end -= from;
  }

  private scaled(value: number): number {
    return max(-MAX_MAGNITUDE, min(MAX_MAGNITUDE, (value - this.centre) / this.scale));
  }

  /** The first run defines the level and the spread of the values: sums of products are most accurate around 0. */
  private setScale(): void {
    const { values, length, end } = this;
    const centre = values[end - length]!;
    let sum = 0;
    for (let row = end - length; row < end; row++) sum += abs(values[row]! - centre);
    this.centre = centre;
    this.scale = sum / length || abs(centre) || 1;
    for (let row = end - length; row < end; row++) values[row] = this.scaled(values[row]!);
  }

  private measureRun(newest: number): void {
    const { values, length } = this;
    let sum = 0;
    for (let row = newest - length + 1; row <= newest; row++) sum += values[row]!;
    const mean = sum / length;
    let squares = 0;
    for (let row = newest - length + 1; row <= newest; row++) squares += (values[row]! - mean) ** 2;
    this.means[newest] = mean;
    this.weights[newest] = squares < length * FLAT * FLAT ? 0 : 1 / sqrt(squares);
  }

  private carryProducts(newest: number): void {
    const { values, products, length, history, mostLag } = this;
    if (this.rows % RENEW_ROWS === 0) {
      for (let lag = length; lag <= mostLag; lag++) products[lag] = this.product(newest, lag);
    } else {
      const come = values[newest]!;
      const gone = values[newest - length]!;
      for (let lag = length; lag <= mostLag; lag++) {
        products[lag] = products[lag]! + come * values[newest - lag]! - gone * values[newest - length - lag]!;
      }
    }
    // The number of earlier runs has grown by one.
    if (mostLag < history && this.rows - length > mostLag) {
      this.mostLag += 1;
      products[this.mostLag] = this.product(newest, this.mostLag);
    }
  }

  private product(newest: number, lag: number): number {
    const { values, length } = this;
    let sum = 0;
    for (let row = newest - length + 1; row <= newest; row++) sum += values[row]! * values[row - lag]!;
    return sum;
  }

  private distance(newest: number): number {
    const { means, weights, products, length, mostLag } = this;
    const weight = weights[newest]!;
    if (weight === 0) {
      this.deviation = Infinity;
      for (let row = newest - length; row >= newest - mostLag; row--) if (weights[row] === 0) return 0;
      return sqrt(2 * length);
    }
    const mean = length * means[newest]!;
    let best = -Infinity;
    let nearest = newest;
    for (let lag = length; lag <= mostLag; lag++) {
      const likeness = (products[lag]! - mean * means[newest - lag]!) * weights[newest - lag]!;
      if (likeness <= best) continue;
      best = likeness;
      nearest = newest - lag;
    }
    this.deviation = this.scale / (min(weight, weights[nearest]!) * sqrt(length));
    return sqrt(max(0, 2 * length * (1 - best * weight)));
  }
}
