import { keepPreviousData, queryOptions, useMutation } from '@tanstack/react-query';
import { api, type Schema, unwrap } from '../../../lib/api';
import { type ModelId } from '../benchmark-search';
import { toData } from '../chart-data';
import { keepBenchmark } from '../kept-benchmarks';
import { type Label } from '../labels';

/** Maximum number of models of one benchmark that the API accepts. */
export const MODELS_AT_ONCE = 5;
/** Maximum number of points of a series that is returned completely, and can be run again without its file. */
export const MAX_WHOLE_POINTS = 20_000;

const EVERY_MS = 1000;

export const modelsQuery = queryOptions({
  queryKey: ['benchmark', 'models'],
  queryFn: ({ signal }) => unwrap(api.GET('/api/benchmark/models', { signal })),
  staleTime: Infinity,
});

const isRunning = (benchmark: Schema<'BenchmarkDto'> | undefined): boolean =>
  benchmark?.status === 'queued' || benchmark?.status === 'running';

/** Polls every second until it has finished. */
export const statusQuery = (id: string) =>
  queryOptions({
    queryKey: ['benchmark', 'status', id],
    queryFn: ({ signal }) =>
      unwrap(api.GET('/api/benchmark/status', { params: { query: { benchmark_id: id } }, signal })),
    refetchInterval: ({ state: { data } }) => (isRunning(data?.benchmark) ? EVERY_MS : false),
  });

const chartData = (id: string, mostPoints?: number, signal?: AbortSignal) =>
  unwrap(
    api.GET('/api/benchmark/chartdata', { params: { query: { benchmark_id: id, max_points: mostPoints } }, signal }),
  );

/** Results never change. */
export const chartDataQuery = (id: string) =>
  queryOptions({
    queryKey: ['benchmark', 'chartdata', id],
    queryFn: async ({ signal }) => toData(await chartData(id, undefined, signal)),
    staleTime: Infinity,
  });

/** A file with the interpretation of its values. */
export interface HeldFile {
  file: Blob;
  isCounter: boolean;
}

/** A metric of the organisation over a stretch of time, Unix seconds. */
export interface MetricSource {
  metric: string;
  from: number;
  until: number;
}

/** The source of a series; `pointsOf`: a benchmark whose points are returned completely. */
export type Source = HeldFile | MetricSource | { pointsOf: string };

/**
 * Sources of this tab by the benchmark for which they were used: a series that was sent once can be sent again with
 * labels.
 */
const held = new Map<string, Source>();

export const heldSourceOf = (id: string): Source | undefined => held.get(id);

const FOUND_AT_ONCE = 8;

/** Metrics whose name resembles a text. */
export const metricNamesQuery = (text: string) =>
  queryOptions({
    queryKey: ['metrics', 'search', text],
    queryFn: ({ signal }) =>
      unwrap(api.GET('/api/metrics/search', { params: { query: { q: text, limit: FOUND_AT_ONCE } }, signal })),
    enabled: text !== '',
    placeholderData: keepPreviousData,
  });

export interface Run {
  source: Source;
  name: string;
  models: readonly ModelId[];
  labels: readonly Label[];
  signal: AbortSignal;
}

export interface Started {
  id: string;
  with?: string;
  /** Models that a second benchmark would have run, and why it does not exist. */
  lacking?: { models: readonly ModelId[]; why: string };
}

/** Starts one benchmark, or two if there are more models than one accepts. */
async function run({ source, name, models, labels, signal }: Run): Promise<Started> {
  const points = 'pointsOf' in source ? (await chartData(source.pointsOf, MAX_WHOLE_POINTS, signal)).timeseries : null;
  const start = (some: readonly ModelId[]) => {
    const body = { name, models: [...some], labels: labels.map(([from, until]) => [from, until]) };
    if ('metric' in source) return unwrap(api.POST('/api/benchmark/start', { body: { ...body, ...source }, signal }));
    if ('pointsOf' in source) {
      // For a counter the API returns rates, so the sent series is not a counter any more.
      const timeseries = points as number[][];
      return unwrap(api.POST('/api/benchmark/start', { body: { ...body, timeseries }, signal }));
    }
    const form = new FormData();
    form.set('data_file', source.file, 'series.csv');
    form.set('name', name);
    form.set('models', some.join(','));
    form.set('labels', JSON.stringify(labels));
    form.set('counter', String(source.isCounter));
    return unwrap(api.POST('/api/benchmark/start', { body, bodySerializer: () => form, signal }));
  };
  const first = await start(models.slice(0, MODELS_AT_ONCE));
  const started: Started = { id: first.benchmark_id };
  const others = models.slice(MODELS_AT_ONCE);
  if (others.length > 0) {
    try {
      started.with = (await start(others)).benchmark_id;
    } catch (error) {
      // The first one is already running, and useful by itself.
      started.lacking = { models: others, why: error instanceof Error ? error.message : String(error) };
    }
  }
  const { created_timestamp: startedAt, expires_timestamp: expiresAt } = first.benchmark;
  keepBenchmark({ id: started.id, with: started.with, name, startedAt, expiresAt });
  if (!('pointsOf' in source)) held.set(started.id, source);
  return started;
}

export const useRun = () => useMutation({ mutationFn: run });

export const useSetEmail = (id: string) =>
  useMutation({
    mutationFn: (email: string) =>
      unwrap(api.POST('/api/benchmark/setemailaddress', { body: { benchmark_id: id, email } })),
  });
