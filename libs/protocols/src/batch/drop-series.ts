import { type RefusalReason } from '#libs/contracts';
import { type ParsedBatch } from './parsed-batch.js';
import { type Refusals } from './refusals.js';

/**
 * Removes the points of some series from a batch and counts them as refused: what the metric registry does not admit
 * (`over_quota`) or an exclusion drops (`excluded`). `series` and its indices stay as they are, so ids that were
 * resolved per header remain valid. O(points); the given batch if nothing is dropped.
 *
 * @param reasons by index into `batch.series`
 */
export function dropSeries(
  batch: ParsedBatch,
  refusals: Refusals,
  reasons: ReadonlyMap<number, RefusalReason>,
): ParsedBatch {
  if (reasons.size === 0) return batch;
  const { series, count } = batch;
  const dropped = new Uint8Array(series.length);
  for (const index of reasons.keys()) dropped[index] = 1;
  const points = new Uint32Array(series.length);
  const seriesIndex = new Uint32Array(count);
  const timestamps = new Float64Array(count);
  const values = new Float64Array(count);
  let kept = 0;
  for (let i = 0; i < count; i++) {
    const index = batch.seriesIndex[i]!;
    if (dropped[index] === 1) {
      points[index]!++;
      continue;
    }
    seriesIndex[kept] = index;
    timestamps[kept] = batch.timestamps[i]!;
    values[kept] = batch.values[i]!;
    kept++;
  }
  for (const [index, reason] of reasons) {
    const header = series[index];
    if (header !== undefined) refusals.add(header.name, reason, points[index]);
  }
  return {
    series,
    seriesIndex: seriesIndex.subarray(0, kept),
    timestamps: timestamps.subarray(0, kept),
    values: values.subarray(0, kept),
    count: kept,
  };
}
