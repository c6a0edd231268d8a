import { type Stretch } from './stretch.js';

/** Squared differences of two windows, over the slots that both have. */
export interface Squares {
  sum: number;
  count: number;
}

/** Over the slots that both have; stops once the sum exceeds `bound`. Slots without data are judged elsewhere. */
export function squaresOf(values: Float32Array, residuals: Float32Array, baseline: number, bound: number): Squares {
  let sum = 0;
  let count = 0;
  for (let slot = 0; slot < values.length && sum <= bound; slot++) {
    const difference = values[slot]! - baseline - residuals[slot]!;
    if (!Number.isFinite(difference)) continue;
    sum += difference ** 2;
    count++;
  }
  return { sum, count };
}

/**
 * Slot of the shape that corresponds to a slot of the stretched shape, whose part has `slots` instead of `partSlots`.
 */
function sourceOf(slot: number, partSlots: number, slots: number): number {
  return slot < slots ? Math.floor(((slot + 0.5) * partSlots) / slots) : slot - slots + partSlots;
}

/** Part and tail, with the part stretched to a length; the length of the tail does not change. */
export function stretchedTo(residuals: Float32Array, partSlots: number, slots: number): Float32Array {
  if (slots === partSlots) return residuals;
  const stretched = new Float32Array(slots + residuals.length - partSlots);
  for (let slot = 0; slot < stretched.length; slot++) stretched[slot] = residuals[sourceOf(slot, partSlots, slots)]!;
  return stretched;
}

/** Cached results for a shape whose part has one length, by place in a series. */
export class SquaresOfLength {
  private readonly sums: Float64Array;
  private readonly counts: Int32Array;

  /** @param places slots of the series */
  constructor(
    private readonly residuals: Float32Array,
    places: number,
  ) {
    this.sums = new Float64Array(places);
    this.counts = new Int32Array(places);
  }

  /** A lower bound of the sum of the whole shape at a slot of the series, if one is known; else 0. */
  least(place: number): number {
    return this.sums[place] ?? 0;
  }

  /** The squares of the shape with its start at a slot of the series; see `squaresOf`. */
  at(place: number, values: Float32Array, baseline: number, bound: number): Squares {
    const isWhole = values.length === this.residuals.length && place >= 0 && place < this.sums.length;
    if (!isWhole) return squaresOf(values, this.residuals, baseline, bound);
    const count = this.counts[place]!;
    if (count > 0) return { sum: this.sums[place]!, count };
    const squares = squaresOf(values, this.residuals, baseline, bound);
    // A sum that was stopped early is a lower bound of the whole one.
    this.sums[place] = squares.sum;
    if (squares.sum <= bound) this.counts[place] = squares.count;
    return squares;
  }
}

/**
 * Cached results for a shape in a series. A shape that is searched at every slot is compared with most places several
 * times: for candidates that start next to it, in each round of a search, and for each duration.
 */
export class SquaresByPlace {
  private readonly byLength = new Map<number, SquaresOfLength>();

  constructor(
    private readonly residuals: Float32Array,
    private readonly partSlots: number,
    private readonly places: number,
  ) {}

  isOf(residuals: Float32Array, partSlots: number): boolean {
    const mine = this.residuals;
    const isSame = residuals.length === mine.length && partSlots === this.partSlots;
    return isSame && residuals.every((value, slot) => Object.is(value, mine[slot]));
  }

  /** Results for the shape with its part stretched to this many slots. */
  ofLength(slots: number): SquaresOfLength {
    let known = this.byLength.get(slots);
    if (known === undefined) {
      known = new SquaresOfLength(stretchedTo(this.residuals, this.partSlots, slots), this.places);
      this.byLength.set(slots, known);
    }
    return known;
  }
}

/** By series; results for another shape are dropped. */
const KNOWN = new WeakMap<Stretch, SquaresByPlace>();

/** The cache for a shape in a series; neither may change. */
export function squaresIn(series: Stretch, residuals: Float32Array, partSlots: number): SquaresByPlace {
  const known = KNOWN.get(series);
  if (known?.isOf(residuals, partSlots)) return known;
  const fresh = new SquaresByPlace(residuals, partSlots, series.values.length);
  KNOWN.set(series, fresh);
  return fresh;
}
