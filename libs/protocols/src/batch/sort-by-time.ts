import { type ParsedBatch } from './parsed-batch.js';

/**
 * The same points with every series in the order of time; a batch that has it already is given back as it is. Files come
 * newest first from many programs, and what is learned must be learned in order. Of points of one time the order stays:
 * the last one counts. O(n), O(n log n) when something is out of order.
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
