import { type ChartColumns } from './benchmark.types.js';

/**
 * The rows for a chart of at most `most` points: of each part of the series the rows with the lowest and the highest
 * value, so that no spike is lost. Rows without a value are skipped.
 */
export function rowsForChart(values: Float64Array, most: number): number[] {
  const stretches = Math.max(1, Math.floor(most / 2));
  const rows: number[] = [];
  if (values.length <= most) return Array.from(values.keys()).filter((row) => Number.isFinite(values[row]!));
  for (let stretch = 0; stretch < stretches; stretch++) {
    const first = Math.floor((stretch * values.length) / stretches);
    const end = Math.floor(((stretch + 1) * values.length) / stretches);
    let lowest = -1;
    let highest = -1;
    for (let row = first; row < end; row++) {
      const value = values[row]!;
      if (!Number.isFinite(value)) continue;
      if (lowest < 0 || value < values[lowest]!) lowest = row;
      if (highest < 0 || value > values[highest]!) highest = row;
    }
    if (lowest < 0) continue;
    rows.push(Math.min(lowest, highest));
    if (lowest !== highest) rows.push(Math.max(lowest, highest));
  }
  return rows;
}

/** The columns at some rows; each row has the highest score up to the next one, so that no alarm is lost. */
export function columnsAt(columns: ChartColumns, rows: readonly number[]): ChartColumns {
  const { timestamps, values, lower, upper, scores } = columns;
  const pick = (column: Float64Array): Float64Array => Float64Array.from(rows, (row) => column[row]!);
  return {
    timestamps: pick(timestamps),
    values: pick(values),
    lower: pick(lower),
    upper: pick(upper),
    scores: Float64Array.from(rows, (row, index) => {
      let most = 0;
      for (let at = row; at < (rows[index + 1] ?? scores.length); at++) most = Math.max(most, scores[at]!);
      return most;
    }),
  };
}

const COLUMNS = ['timestamps', 'values', 'lower', 'upper', 'scores'] as const;

/** One column after the other, 8 bytes per number. */
export function packColumns(columns: readonly Float64Array[]): Buffer {
  return Buffer.concat(
    columns.map(({ buffer, byteOffset, byteLength }) => Buffer.from(buffer, byteOffset, byteLength)),
  );
}

/** @throws RangeError if the bytes are not this many columns of equal length */
export function unpackColumns(bytes: Uint8Array, count: number): Float64Array[] {
  // Copied, because 8-byte numbers must be aligned.
  const numbers = new Float64Array(Uint8Array.from(bytes).buffer);
  const length = numbers.length / count;
  if (!Number.isInteger(length)) throw new RangeError(`${numbers.length} numbers are not ${count} columns`);
  return Array.from({ length: count }, (_, column) => numbers.slice(column * length, (column + 1) * length));
}

export function packChart(columns: ChartColumns): Buffer {
  return packColumns(COLUMNS.map((name) => columns[name]));
}

export function unpackChart(bytes: Uint8Array): ChartColumns {
  const columns = unpackColumns(bytes, COLUMNS.length);
  return Object.fromEntries(COLUMNS.map((name, index) => [name, columns[index]!])) as unknown as ChartColumns;
}
