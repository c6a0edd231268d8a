import { uniform as hashed } from '../hash-noise.js';

const { cos, exp, log, PI, sqrt } = Math;

/** Reproducible random numbers, generated sequentially. */
export class Draw {
  private place = 0;

  constructor(private readonly seed: number) {}

  /** In [from, until). */
  uniform(from = 0, until = 1): number {
    return from + (until - from) * hashed(this.seed, this.place++);
  }

  /** Whole number in [from, until]. */
  whole(from: number, until: number): number {
    return Math.floor(this.uniform(from, until + 1));
  }

  isTrue(probability: number): boolean {
    return this.uniform() < probability;
  }

  /** Normal, mean 0 and standard deviation 1 (Box-Muller). */
  normal(): number {
    return sqrt(-2 * log(1 - this.uniform())) * cos(2 * PI * this.uniform());
  }

  /** Exponential with this mean. */
  exponential(mean: number): number {
    return -mean * log(1 - this.uniform());
  }

  /** Pareto tail: at least 1, beyond x with probability x^-shape. */
  pareto(shape: number): number {
    return exp(this.exponential(1 / shape));
  }

  /** Poisson count (Knuth); a rounded normal number above 60. */
  poisson(mean: number): number {
    if (mean > 60) return Math.max(0, Math.round(mean + sqrt(mean) * this.normal()));
    const limit = exp(-mean);
    let count = 0;
    for (let product = this.uniform(); product > limit; product *= this.uniform()) count++;
    return count;
  }
}
