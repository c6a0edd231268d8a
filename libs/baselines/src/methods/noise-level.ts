import { SortedValues } from './sorted-values.js';

const { abs, SQRT2 } = Math;

const ROWS = 1024;
/** Converts a median of absolute deviations to the standard deviation of normal values. */
const MEDIAN_TO_SIGMA = 1.4826;

/**
 * Standard deviation of the noise in a series whose own movement is slow: derived from the median of the latest 1,024
 * differences between neighbours, so that steps and outbursts do not count. 0 before the second value.
 */
export class NoiseLevel {
  private readonly sorted = new SortedValues(ROWS);
  private readonly ring = new Float64Array(ROWS);
  private count = 0;
  private previous = NaN;

  get deviation(): number {
    return this.sorted.count === 0 ? 0 : (MEDIAN_TO_SIGMA * this.sorted.median()) / SQRT2;
  }

  learn(value: number): void {
    const difference = abs(value - this.previous);
    this.previous = value;
    if (Number.isNaN(difference)) return;
    const place = this.count % ROWS;
    this.count += 1;
    if (this.sorted.count === ROWS) this.sorted.remove(this.ring[place]!);
    this.sorted.add(difference);
    this.ring[place] = difference;
  }
}
