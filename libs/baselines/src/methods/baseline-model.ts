/** Properties of a series that a caller may know beforehand. */
export interface BaselineOptions {
  /** Season in seconds, for baselines that know seasons; a day when omitted. */
  periodSeconds?: number;
  /** Seed of baselines that draw random numbers; 1 when omitted. */
  seed?: number;
}

/** A column of scores, with its meaning. */
export interface BaselineVerdicts {
  /** One per row, 0..1, never NaN; 0 for rows without a verdict. */
  scores: Float64Array;
  /** Scores from here on are alarms. */
  threshold: number;
  /** Expected range of each row as known before it; NaN where unknown. Absent when the method has none. */
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
  /** Rows with a value that are read before the first verdict. */
  minimumPoints: number;
  /** On one core, about: fast from 500,000 points a second on, slow below 50,000. */
  speed: 'fast' | 'medium' | 'slow';
  /**
   * Scores one series: every row by itself and the rows before it only. Timestamps in Unix seconds. Rows whose value is not
   * finite or whose timestamp is not later than all before are passed over (score 0).
   *
   * @throws RangeError when the columns differ in length or an option is impossible
   */
  run(timestamps: Float64Array, values: Float64Array, options?: BaselineOptions): BaselineVerdicts;
}
