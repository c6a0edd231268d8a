/** The results of the detector for a stored series in a window. Columns of equal length; a row per slot with data. */
export interface Expectation {
  /** Length of a slot in seconds. */
  resolutionSeconds: number;
  /** Slot starts, Unix seconds, rising. */
  timestamps: Float64Array;
  /** The analysed value: of counters the rate per second. NaN if there is none. */
  values: Float64Array;
  /** Mean of the analysed values of the hour that ends with the slot. */
  means: Float64Array;
  /** Expected value and range; NaN while the detector has not learnt enough. */
  yhat: Float64Array;
  lower: Float64Array;
  upper: Float64Array;
  /** 0..1 */
  scores: Float64Array;
  /** 1 = anomalous. */
  anomalous: Uint8Array;
  /** 0, or 1 + the index in ANOMALY_KINDS of the kind that the anomaly had at that row. */
  kinds: Uint8Array;
  /** The analysed value was below zero at least once, in the window or while warming up. */
  hasBeenNegative: boolean;
}
