/** Properties of a series that a caller may know in advance. */
export interface BaselineOptions {
  /** Season in seconds, for baselines that support seasons; a day if omitted. */
  periodSeconds?: number;
  /** Seed for baselines that draw random numbers; 1 if omitted. */
  seed?: number;
}

/** A column of scores, with its meaning. */
export interface BaselineVerdicts {
  /** One per row, 0..1, never NaN; 0 for rows without a verdict. */
  scores: Float64Array;
  /** Scores of at least this value are alarms. */
  threshold: number;
  /** Expected range of each row as known before that row; NaN if unknown. Undefined if the method has none. */
  lower?: Float64Array;
  upper?: Float64Array;
}

/** A published method of finding anomalies in one series, to compare the product's detector with. */
export interface BaselineModel {
  id: string;
  name: string;
  /** One or two sentences for readers who do not know the method. */
  description: string;
  /** The publication of the method. */
  source: string;
  /** Number of rows with a value that are read before the first verdict. */
  minimumPoints: number;
  /** Approximate speed on one core: fast from 500,000 points per second, slow below 50,000. */
  speed: 'fast' | 'medium' | 'slow';
  /**
   * Scores one series: every row is scored only from itself and the previous rows. Timestamps in Unix seconds. Rows
   * whose value is not finite or whose timestamp is not later than all previous ones are skipped (score 0).
   *
   * @throws RangeError if the columns differ in length or an option is invalid
   */
  run(timestamps: Float64Array, values: Float64Array, options?: BaselineOptions): BaselineVerdicts;
}
