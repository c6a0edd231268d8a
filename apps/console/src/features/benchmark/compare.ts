import { type Schema } from '../../lib/api';
import { type ModelId, type Sort } from './benchmark-search';
import { type BenchmarkData, type Found, type ModelData } from './chart-data';
import { joined, type Label } from './labels';

/** The figures of a model; null if unknown. */
export interface Figures {
  precision: number | null;
  recall: number | null;
  f1: number | null;
  /** Median seconds from the start of a label to the first anomaly on it. */
  delay: number | null;
  nab: number | null;
  falses: number | null;
  /** Labels found. */
  found: number | null;
  anomalies: number | null;
  /** Seconds. */
  runtime: number | null;
}

/** One model with all available results. */
export interface ModelResult {
  id: ModelId;
  name: string;
  status: Schema<'BenchmarkModelResultDto'>['status'];
  message: string;
  figures: Figures;
  /** Available once it has finished and is loaded. */
  data: ModelData | undefined;
}

const overlap = ({ from, until }: Pick<Found, 'from' | 'until'>, [start, end]: Label): boolean =>
  from <= end && until >= start;

/** True if an anomaly overlaps a label. */
export const isRight = (anomaly: Pick<Found, 'from' | 'until'>, labels: readonly Label[]): boolean =>
  labels.some((label) => overlap(anomaly, label));

/**
 * Seconds from the start of each label to the first anomaly on it, 0 if the anomaly started earlier; null for a missed
 * label. Overlapping labels are merged.
 */
export function delaysOf(
  anomalies: readonly Pick<Found, 'from' | 'until'>[],
  labels: readonly Label[],
): (number | null)[] {
  return joined(labels).map((label) => {
    const starts = anomalies.filter((anomaly) => overlap(anomaly, label)).map(({ from }) => from);
    return starts.length === 0 ? null : Math.max(0, Math.min(...starts) - label[0]);
  });
}

/** The median; null for an empty list. */
export function median(values: readonly number[]): number | null {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = sorted.length >>> 1;
  const [low, high] = [sorted[sorted.length % 2 === 0 ? middle - 1 : middle], sorted[middle]];
  return low === undefined || high === undefined ? null : (low + high) / 2;
}

/** The models of benchmarks of one series, without duplicates, in the order in which they were requested. */
export function resultsOf(
  benchmarks: readonly Schema<'BenchmarkDto'>[],
  charts: readonly BenchmarkData[],
  nameOf: (id: ModelId) => string,
): ModelResult[] {
  const results = new Map<ModelId, ModelResult>();
  for (const { benchmark_id: key, models } of benchmarks) {
    const chart = charts.find(({ id }) => id === key);
    for (const model of models) {
      if (results.has(model.id)) continue;
      const data = chart?.models.find(({ id }) => id === model.id);
      const delays = chart && data ? delaysOf(data.anomalies, chart.labels).filter((delay) => delay !== null) : [];
      results.set(model.id, {
        id: model.id,
        name: nameOf(model.id),
        status: model.status,
        message: model.message,
        figures: figuresOf(model, median(delays)),
        data,
      });
    }
  }
  return [...results.values()];
}

function figuresOf(model: Schema<'BenchmarkModelResultDto'>, delay: number | null): Figures {
  const { metrics } = model;
  return {
    precision: metrics?.precision ?? null,
    recall: metrics?.recall ?? null,
    f1: metrics?.f1 ?? null,
    delay,
    nab: metrics?.nab_score ?? null,
    falses: metrics?.false_positives ?? null,
    found: metrics?.true_positives ?? null,
    anomalies: model.anomalies_count,
    runtime: model.runtime_seconds,
  };
}

/** Figures for which less is better; the number of anomalies is not among them. */
const LESS_IS_BETTER: readonly Sort[] = ['delay', 'falses', 'anomalies', 'runtime'];
/** Figures that rank models by the labels. */
const COMPARED: readonly Sort[] = ['precision', 'recall', 'f1', 'delay', 'nab', 'falses'];

/** The models with the best value of a figure; none if all values are equal, or if the figure does not rank models. */
export function bestOf(results: readonly ModelResult[], sort: Sort): ReadonlySet<ModelId> {
  if (sort === 'model' || !COMPARED.includes(sort)) return new Set();
  const known = results.flatMap(({ id, figures: { [sort]: value, found } }) =>
    // A model that finds nothing has no false anomalies, but is not a good example.
    value === null || (sort === 'falses' && found === 0) ? [] : [{ id, value }],
  );
  const values = known.map(({ value }) => value);
  const best = LESS_IS_BETTER.includes(sort) ? Math.min(...values) : Math.max(...values);
  const winners = known.filter(({ value }) => value === best);
  return new Set(winners.length === results.length ? [] : winners.map(({ id }) => id));
}

/** Best first; models without the figure are last in either direction. */
export function sorted(results: readonly ModelResult[], sort: Sort, isReversed: boolean): ModelResult[] {
  const turn = isReversed ? -1 : 1;
  return results.toSorted((one, other) => {
    if (sort === 'model') return turn * one.name.localeCompare(other.name);
    const [a, b] = [one.figures[sort], other.figures[sort]];
    if (a === null || b === null) return Number(a === null) - Number(b === null);
    return turn * (LESS_IS_BETTER.includes(sort) ? a - b : b - a);
  });
}
