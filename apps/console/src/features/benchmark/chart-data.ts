import { type ChartBand, type ChartColumns } from '../../components/chart/chart-props';
import { type Schema } from '../../lib/api';
import { type Label } from './labels';

export type Found = Schema<'BenchmarkAnomalyDto'>;

/** The results of one model for a series. */
export interface ModelData {
  id: Schema<'BenchmarkModelDataDto'>['id'];
  /** Undefined if the model has no such column. */
  range: ChartBand | undefined;
  /** Only the first 1,000. */
  anomalies: readonly Found[];
}

/** The numbers of a benchmark, in the form that charts accept. */
export interface BenchmarkData {
  id: string;
  name: string;
  labels: readonly Label[];
  series: ChartColumns;
  models: readonly ModelData[];
}

const numberAt = (row: readonly (number | null)[], column: number): number => row[column] ?? Number.NaN;

/** Converts the rows of the API. */
export function toData(answer: Schema<'BenchmarkChartDataDto'>): BenchmarkData {
  return {
    id: answer.benchmark_id,
    name: answer.name,
    labels: answer.labels.map((row) => [numberAt(row, 0), numberAt(row, 1)]),
    series: {
      timestamps: answer.timeseries.map((row) => numberAt(row, 0)),
      values: answer.timeseries.map((row) => row[1] ?? null),
    },
    models: answer.models.map(({ id, expected_range: range, anomalies }) => ({
      id,
      range: range.length === 0 ? undefined : bandOf(range),
      anomalies,
    })),
  };
}

function bandOf(rows: readonly (readonly (number | null)[])[]): ChartBand {
  return {
    timestamps: rows.map((row) => numberAt(row, 0)),
    lower: rows.map((row) => row[1] ?? null),
    upper: rows.map((row) => row[2] ?? null),
    yhat: rows.map((row) => (numberAt(row, 1) + numberAt(row, 2)) / 2),
  };
}
