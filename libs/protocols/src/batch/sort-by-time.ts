import { type ParsedBatch } from './parsed-batch.js';

/**
 * The same points with every series in the order of time; a batch that is already in order is returned unchanged. Many
 * programs write files with the newest row first, but learning needs points in order. Points of one time keep their
 * order: the last one counts. O(n), O(n log n) if points are out of order.
 */
export function sortByTime(batch: ParsedBatch): ParsedBatch {
  const { count, seriesIndex, timestamps, values, series } = batch;
  const newest = new Float64Array(series.length).fill(-Infinity);
  let isSorted = true;
  for (let row = 0; row < count && isSorted; row++) {
    const index = seriesIndex[row]!;
    isSorted = timestamps[row]! >= newest[index]!;
    newest[index] = timestamps[row]!;
  }
  if (isSorted) return batch;
  const order = Uint32Array.from({ length: count }, (_, row) => row);
  order.sort((one, other) => timestamps[one]! - timestamps[other]! || one - other);
  return {
    series,
    seriesIndex: Uint32Array.from(order, (row) => seriesIndex[row]!),
    timestamps: Float64Array.from(order, (row) => timestamps[row]!),
    values: Float64Array.from(order, (row) => values[row]!),
    count,
  };
}
