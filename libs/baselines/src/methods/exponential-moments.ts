const { max, sqrt } = Math;

/**
 * Mean and variance with exponential forgetting; unweighted until `1 / rate` values have arrived. Source: Finch (2009),
 * "Incremental calculation of weighted mean and variance", section 9.
 */
export class ExponentialMoments {
  count = 0;
  mean = 0;
  /** Population variance. */
  variance = 0;

  constructor(private readonly rate: number) {}

  get deviation(): number {
    return sqrt(this.variance);
  }

  learn(value: number): void {
    this.count += 1;
    const rate = max(1 / this.count, this.rate);
    const difference = value - this.mean;
    this.mean += rate * difference;
    this.variance = (1 - rate) * (this.variance + rate * difference * difference);
  }
}
