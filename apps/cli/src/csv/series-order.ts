import { type CsvSeries } from './read-series-csv.js';

/** A series in order of time, regardless of the order in its file: exports often have the newest row first. */
export interface OrderedSeries {
  series: CsvSeries;
  /** Position of each row of the file in the series. */
  placeOf: Uint32Array;
}

/** Sorts the rows by time; rows with the same time keep the order of the file. */
export function inOrderOfTime(read: CsvSeries): OrderedSeries {
  const { timestamps, values, timestampTexts, lines, labels } = read;
  const rows = Uint32Array.from(timestamps.keys());
  const isOrdered = timestamps.every((timestamp, row) => row === 0 || timestamp >= timestamps[row - 1]!);
  if (isOrdered) return { series: read, placeOf: rows };
  const order = rows.toSorted((one, other) => timestamps[one]! - timestamps[other]! || one - other);
  const placeOf = new Uint32Array(rows.length);
  order.forEach((row, place) => (placeOf[row] = place));
  const series: CsvSeries = {
    ...read,
    timestamps: Float64Array.from(order, (row) => timestamps[row]!),
    values: Float64Array.from(order, (row) => values[row]!),
    timestampTexts: Array.from(order, (row) => timestampTexts[row]!),
    lines: Float64Array.from(order, (row) => lines[row]!),
    ...(labels === undefined ? {} : { labels: Uint8Array.from(order, (row) => labels[row]!) }),
  };
  return { series, placeOf };
}
