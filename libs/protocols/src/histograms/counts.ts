/** Observations of a histogram by bucket, or the difference of two such. Immutable. */
export interface Counts {
  /** Approximate memory in bytes. */
  readonly bytes: number;
  /** Bucket by bucket; null when the two have no buckets in common. */
  minus(other: Counts): Counts | null;
  plus(other: Counts): Counts | null;
  /** For a difference: true if a bucket has decreased, so counting restarted. */
  hasFallen(): boolean;
  /** Estimated values below which the given shares of the observations lie; NaN if they are unknown. */
  quantiles(wanted: readonly number[]): number[];
}
