import { RANGE_ALPHA, type RangeScore, scoreRange } from './interval-score.js';
import { type RangeColumns, seasonalNaiveRange } from './seasonal-naive.js';

/**
 * The expected range of a series on its normal rows (`isNormal` 1), compared with that of a seasonal-naive forecast.
 * Columns of one length, timestamps in Unix seconds, `values` as analysed. O(rows log rows).
 */
export function scoreExpectedRange(
  timestamps: Float64Array,
  { values, lower, upper }: RangeColumns & { values: Float64Array },
  isNormal: Uint8Array,
): RangeScore {
  return scoreRange(values, isNormal, { lower, upper }, seasonalNaiveRange(timestamps, values, RANGE_ALPHA));
}
