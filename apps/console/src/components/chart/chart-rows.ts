import { type ChartBand, type ChartColumns } from './chart-props';

/** One point with its expected values; null if there is none. */
export interface ChartRow {
  timestamp: number;
  value: number | null;
  lower: number | null;
  upper: number | null;
  yhat: number | null;
}

/** The points of a window, newest first. */
export function chartRows(
  series: ChartColumns,
  expected: ChartBand | undefined,
  window: { from: number; until: number },
): ChartRow[] {
  const rangeRow = new Map(expected?.timestamps.map((timestamp, i) => [timestamp, i]));
  const rows: ChartRow[] = [];
  for (let i = series.timestamps.length - 1; i >= 0; i--) {
    const timestamp = series.timestamps[i]!;
    if (timestamp < window.from || timestamp > window.until) continue;
    const at = rangeRow.get(timestamp) ?? -1;
    rows.push({
      timestamp,
      value: series.values[i] ?? null,
      lower: expected?.lower[at] ?? null,
      upper: expected?.upper[at] ?? null,
      yhat: expected?.yhat[at] ?? null,
    });
  }
  return rows;
}

/** The rows as CSV, oldest first: times in Unix seconds and as ISO 8601 in UTC, empty fields for gaps. */
export function rowsAsCsv(rows: readonly ChartRow[]): string {
  const lines = rows.toReversed().map(({ timestamp, value, yhat, lower, upper }) => {
    const time = new Date(timestamp * 1000).toISOString();
    return [timestamp, time, value ?? '', yhat ?? '', lower ?? '', upper ?? ''].join(',');
  });
  return ['timestamp,time_utc,value,expected,expected_lower,expected_upper', ...lines, ''].join('\r\n');
}

/**
 * Converts a name for use in a file name: letters, digits and single underscores between them; at most 80 characters.
 */
export function fileName(name: string, ending: string): string {
  const words = name.match(/[\p{L}\p{N}-]+/gu) ?? ['metric'];
  return `${words.join('_').slice(0, 80)}.${ending}`;
}
