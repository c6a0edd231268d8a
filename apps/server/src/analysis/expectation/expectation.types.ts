/** The results of the detector for a stored series in a window. Columns of equal length; a row per slot with data. */
export interface Expectation {
  /** Length of a slot in seconds. */
  resolutionSeconds: number;
  /** Slot starts, Unix seconds, ascending. */
  timestamps: Float64Array;
  /** The analysed value: for counters the rate per second. NaN if missing. */
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
  /** 0, or 1 + the index in ANOMALY_KINDS of the kind of the anomaly at that row. */
  kinds: Uint8Array;
  /** The analysed value was negative at least once, in the window or during warm-up. */
  hasBeenNegative: boolean;
}
