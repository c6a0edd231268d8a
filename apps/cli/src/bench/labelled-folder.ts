import { createReadStream } from 'node:fs';
import { paceOf, type SeriesPace } from '#libs/evaluation';
import { readSeriesCsv, type SpellingOptions } from '../csv/read-series-csv.js';
import { inOrderOfTime } from '../csv/series-order.js';
import { type CsvFile } from './csv-folder.js';

/** One series with one label per row. */
export interface LabelledFile {
  /** Unix seconds. */
  timestamps: Float64Array;
  values: Float64Array;
  labels: Uint8Array;
  pace: SeriesPace;
}

/** Median interval between rows with ascending times, seconds; 0 if there is none. */
function medianInterval(timestamps: Float64Array): number {
  const intervals = timestamps
    .map((timestamp, row) => (row === 0 ? 0 : timestamp - timestamps[row - 1]!))
    .filter((interval) => interval > 0)
    .sort();
  return intervals[intervals.length >> 1] ?? 0;
}

/** Names of the columns if they are unusual, and the formats of times and numbers. */
export interface ColumnOptions extends SpellingOptions {
  timestampColumn?: string;
  valueColumn?: string;
}

/** Null if the file has no column of labels. */
export async function readLabelledFile(
  file: CsvFile,
  { timestampColumn, valueColumn, timeFormat, decimal }: ColumnOptions,
  onBytes: (count: number) => void,
): Promise<LabelledFile | null> {
  const read = await readSeriesCsv(createReadStream(file.path), {
    source: file.path,
    timezone: 'UTC',
    readLabels: true,
    ...(timestampColumn === undefined ? {} : { timestampColumn }),
    ...(valueColumn === undefined ? {} : { valueColumn }),
    ...(timeFormat === undefined ? {} : { timeFormat }),
    ...(decimal === undefined ? {} : { decimal }),
    onBytes,
  });
  const { timestamps, values, labels } = inOrderOfTime(read).series;
  return labels ? { timestamps, values, labels, pace: paceOf(medianInterval(timestamps)) } : null;
}
