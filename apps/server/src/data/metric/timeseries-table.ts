import { type CsvTable, csvTime } from '../../common/http/csv-answer.js';
import { type SeriesPoint } from './timeseries.types.js';
import { type TimeseriesDto } from './timeseries.dto.js';

/** One row per point; columns that the answer lacks are omitted. */
export function tableOfTimeseries({ points, points_min, points_max, derivative }: TimeseriesDto): CsvTable {
  const named: [string, SeriesPoint[] | null][] = [
    ['value', points],
    ['min', points_min],
    ['max', points_max],
    ['derivative', derivative],
  ];
  const columns = named.flatMap(([name, values]) => (values === null ? [] : [{ name, values }]));
  return {
    columns: ['timestamp', ...columns.map(({ name }) => name)],
    // All columns have the slots of the first.
    rows: points.map(([timestamp], row) => [
      csvTime(timestamp),
      ...columns.map(({ values }) => values[row]?.[1] ?? null),
    ]),
  };
}
