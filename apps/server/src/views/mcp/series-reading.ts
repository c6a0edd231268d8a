import { type YhatService } from '../../analysis/anomaly/yhat.service.js';
import { type TimeseriesDto } from '../../data/metric/timeseries.dto.js';
import { rounded, timeIn } from './tool-input.js';

/** Names of the members of a row. */
export const SERIES_COLUMNS = [
  'time',
  'value',
  'lowest',
  'highest',
  'expected',
  'expected_lower',
  'expected_upper',
  'anomalous',
] as const;

export type SeriesRow = [
  time: string,
  value: number | null,
  lowest: number | null,
  highest: number | null,
  expected: number | null,
  lower: number | null,
  upper: number | null,
  anomalous: boolean,
];

/** The expected range in the form of the API. */
type ExpectedRange = Awaited<ReturnType<YhatService['find']>>;

interface RangePoints {
  expected: number[];
  lower: number[];
  upper: number[];
  anomalous: boolean;
}

/**
 * Combines values and expected range of one window into rows with the same times. The lowest and highest value of a row
 * preserve what a mean over a long point would hide; for counters all of them are rates, of which only the mean is
 * available.
 */
export function seriesRows(series: TimeseriesDto, range: ExpectedRange, zone: string): SeriesRow[] {
  const { resolution_seconds: length } = series;
  const ranges = new Map<number, RangePoints>();
  for (const { timestamp, yhat, yhat_lower, yhat_upper, anomalous } of range.yhat) {
    const slot = Math.floor(timestamp / length) * length;
    const found = ranges.get(slot) ?? { expected: [], lower: [], upper: [], anomalous: false };
    if (yhat !== null) found.expected.push(yhat);
    if (yhat_lower !== null) found.lower.push(yhat_lower);
    if (yhat_upper !== null) found.upper.push(yhat_upper);
    found.anomalous ||= anomalous;
    ranges.set(slot, found);
  }
  const isRate = series.derivative !== null;
  const [lowest, highest] = [isRate ? null : series.points_min, isRate ? null : series.points_max].map(
    (points) => new Map(points ?? []),
  );
  return (series.derivative ?? series.points).map(([timestamp, value]) => {
    const known = ranges.get(Math.floor(timestamp / length) * length);
    return [
      timeIn(zone, timestamp),
      rounded(value),
      rounded(lowest?.get(timestamp) ?? value),
      rounded(highest?.get(timestamp) ?? value),
      meanOf(known?.expected),
      meanOf(known?.lower),
      meanOf(known?.upper),
      known?.anomalous ?? false,
    ];
  });
}

function meanOf(values: readonly number[] | undefined): number | null {
  if (values === undefined || values.length === 0) return null;
  return rounded(values.reduce((sum, value) => sum + value, 0) / values.length);
}

/** Over all rows; null for missing values. */
export function summaryOfRows(rows: readonly SeriesRow[]) {
  const known = rows.filter((row) => row[1] !== null);
  const means = known.map((row) => row[1]!);
  return {
    values: known.length,
    gaps: rows.length - known.length,
    lowest: known.length === 0 ? null : Math.min(...known.map((row) => row[2]!)),
    highest: known.length === 0 ? null : Math.max(...known.map((row) => row[3]!)),
    mean: meanOf(means),
    last: means.at(-1) ?? null,
  };
}

/** Formats rows as a table with a header, for a model. */
export function tableOfRows(rows: readonly SeriesRow[]): string {
  const lines = rows.map((row) => row.map((cell) => (cell === null ? '' : String(cell))).join(','));
  return [SERIES_COLUMNS.join(','), ...lines].join('\n');
}
