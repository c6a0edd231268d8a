import { F } from './record/layout.js';
import { noteInterval } from './points/pace.js';
import { createRecord } from './reset-record.js';

/** Assumed pace of a series while it has none, seconds. */
const PACE_AT_FIRST = 60;

/**
 * The usual seconds between the rows of a series, in the detector's estimate at each row; NaN for rows without a value.
 *
 * @param timestamps Unix seconds, ascending
 * @param values NaN: no value; as many as `timestamps`
 */
export function usualPaceOfRows(timestamps: Float64Array, values: Float64Array): Float64Array {
  const pace = new Float64Array(values.length).fill(NaN);
  const record = createRecord();
  const { f } = record;
  let newest = NaN;
  for (let row = 0; row < values.length; row++) {
    if (Number.isNaN(values[row])) continue;
    if (!Number.isNaN(newest)) noteInterval(record, timestamps[row]! - newest);
    newest = timestamps[row]!;
    pace[row] = f[F.resolution]! > 0 ? f[F.resolution]! : PACE_AT_FIRST;
  }
  return pace;
}
