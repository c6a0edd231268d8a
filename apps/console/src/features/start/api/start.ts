import { queryOptions } from '@tanstack/react-query';
import { api, unwrap } from '../../../lib/api';

const WAITING_MS = 2000;
const RECEIVING_MS = 15_000;
const READINESS_MS = 30_000;

/** Number of metrics that the page reads to show their progress. */
const READINESS_LIMIT = 200;
const MONTH_SECONDS = 30 * 86_400;

/**
 * The data that has arrived: the metric with the newest point, and the number of metrics. Polled frequently until there
 * is one.
 */
export const arrivalQuery = queryOptions({
  queryKey: ['metrics', 'arrival'],
  queryFn: ({ signal }) =>
    unwrap(api.GET('/api/metrics', { params: { query: { limit: 1, order: 'last_data' } }, signal })),
  refetchInterval: ({ state }) => ((state.data?.total ?? 0) === 0 ? WAITING_MS : RECEIVING_MS),
});

/** The newest metrics: those that are still being learnt are among them. */
export const newestQuery = queryOptions({
  queryKey: ['metrics', 'newest', READINESS_LIMIT],
  queryFn: ({ signal }) =>
    unwrap(api.GET('/api/metrics', { params: { query: { limit: READINESS_LIMIT, order: 'created' } }, signal })),
  refetchInterval: READINESS_MS,
});

/** Requests in test mode of the last ten minutes. */
export const testSendsQuery = queryOptions({
  queryKey: ['test-sends'],
  queryFn: ({ signal }) => unwrap(api.GET('/api/org/testmetrics', { signal })),
  refetchInterval: RECEIVING_MS,
});

export const lastAnomaliesQuery = queryOptions({
  queryKey: ['anomalies', 'last-month'],
  queryFn: ({ signal }) => {
    const from = Math.floor(Date.now() / 1000) - MONTH_SECONDS;
    return unwrap(api.GET('/api/anomalies', { params: { query: { from, limit: 1, order: 'newest' } }, signal }));
  },
});

export const trainableQuery = queryOptions({
  queryKey: ['anomalies', 'trainable'],
  queryFn: ({ signal }) => {
    const from = Math.floor(Date.now() / 1000) - MONTH_SECONDS;
    const query = { from, limit: 1, order: 'severity', trainable: true } as const;
    return unwrap(api.GET('/api/anomalies', { params: { query }, signal }));
  },
});

export const progressQuery = queryOptions({
  queryKey: ['progress', 'list'],
  queryFn: ({ signal }) => unwrap(api.GET('/api/progress', { params: { query: { limit: 50 } }, signal })),
  refetchInterval: RECEIVING_MS,
});

export const tourQuery = queryOptions({
  queryKey: ['progress', 'demo'],
  queryFn: ({ signal }) => unwrap(api.GET('/api/progress/demo', { signal })),
});

export const tickStep = ({ id, step, done }: { id: number; step: string; done: boolean }) =>
  unwrap(
    api.POST('/api/progress/{progress_id}/update', { params: { path: { progress_id: id } }, body: { step, done } }),
  );

/** Creates a token that may only send data. Only this answer contains it in full. */
export const createIngestToken = (name: string) =>
  unwrap(api.POST('/api/org/tokens', { body: { name, permissions: { ingest: true } } }));
