import { RunningQuantiles } from './running-quantiles.js';

/** Lower and upper ends of an expected range, one per row; NaN if there is none. */
export interface RangeColumns {
  lower: Float64Array;
  upper: Float64Array;
}

const DAY_SECONDS = 86_400;
/**
 * With fewer residuals, a quantile near the ends is one of the extremes themselves: one of a hundred lies outside on
 * each side.
 */
const MIN_RESIDUALS = 100;

/** x minus the newest earlier value at or before the same time of the last day; NaN without one. */
function seasonalResiduals(timestamps: Float64Array, values: Float64Array): Float64Array {
  const residuals = new Float64Array(values.length).fill(NaN);
  let last = NaN;
  let next = 0;
  for (let row = 0; row < values.length; row++) {
    for (; next < row && timestamps[next]! <= timestamps[row]! - DAY_SECONDS; next++) {
      if (!Number.isNaN(values[next])) last = values[next]!;
    }
    residuals[row] = values[row]! - last;
  }
  return residuals;
}

/**
 * The baseline that other forecasts must beat: the value of the last day at the same time (the newest one before it if
 * there was none), with the quantiles of its own past errors as its range, 1 - `alpha` of them inside. Causal: the
 * errors of a row count from the next row on. All past errors count equally, including labelled ones, because labels
 * are not known live. Timestamps in Unix seconds, ascending. No range (NaN) on the first day and before 100 errors are
 * known. O(rows log rows). Source: Hyndman & Athanasopoulos (2021), "Forecasting: Principles and Practice", 3rd ed.,
 * 5.2 and 5.5.
 */
export function seasonalNaiveRange(timestamps: Float64Array, values: Float64Array, alpha: number): RangeColumns {
  const residuals = seasonalResiduals(timestamps, values);
  const past = new RunningQuantiles(residuals);
  const lower = new Float64Array(values.length).fill(NaN);
  const upper = new Float64Array(values.length).fill(NaN);
  for (let row = 0; row < values.length; row++) {
    if (past.count >= MIN_RESIDUALS && !Number.isNaN(residuals[row])) {
      const forecast = values[row]! - residuals[row]!;
      lower[row] = forecast + past.quantile(alpha / 2);
      upper[row] = forecast + past.quantile(1 - alpha / 2);
    }
    past.add(row);
  }
  return { lower, upper };
}
