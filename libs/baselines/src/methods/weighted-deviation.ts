const { abs, sqrt } = Math;

/**
 * Exponentially weighted mean and its unbiased standard deviation, with weights counted from the first value (pandas
 * `ewm` with its defaults). `centreOfMass` c: each value has c / (c + 1) of the weight of the next one.
 */
export class WeightedDeviation {
  mean = 0;
  private readonly decay: number;
  private weights = 0;
  private squaredWeights = 0;
  /** Weighted mean of squared deviations. */
  private spread = 0;

  constructor(centreOfMass: number) {
    this.decay = centreOfMass / (centreOfMass + 1);
  }

  learn(value: number): void {
    const { decay } = this;
    const before = decay * this.weights;
    this.weights = before + 1;
    this.squaredWeights = decay * decay * this.squaredWeights + 1;
    const share = 1 / this.weights;
    const difference = value - this.mean;
    this.mean += share * difference;
    this.spread = before * share * (this.spread + share * difference * difference);
  }

  /** NaN for fewer than two values. */
  get deviation(): number {
    const { weights, squaredWeights, spread } = this;
    return sqrt((spread * weights * weights) / (weights * weights - squaredWeights));
  }

  distance(value: number): number {
    return abs(value - this.mean);
  }
}
