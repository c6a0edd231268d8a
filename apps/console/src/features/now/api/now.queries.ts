import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query';
import { api, unwrap } from '../../../lib/api';
import { standingOf } from '../../../lib/learning';
import { summaryQuery } from '../../../lib/summary';
import { type LaneStretch } from '../lanes';
import { LAST_ANOMALY, mostAnomalous, OPEN_INCIDENTS, RECENT_MATCHES, stretches } from './now.addresses';

export { MAX_STRETCHES } from './now.addresses';

interface Window {
  from: number;
  until: number;
}

/** Currently open, worst first. */
export const openIncidentsQuery = queryOptions({
  queryKey: ['incidents', 'open'],
  queryFn: ({ signal }) => unwrap(api.GET('/api/incidents', { params: { query: OPEN_INCIDENTS }, signal })),
  refetchInterval: 60_000,
});

/** The most recently anomalous metric, without a limit of time. */
export const lastAnomalyQuery = queryOptions({
  queryKey: ['anomalies', 'last'],
  queryFn: ({ signal }) =>
    unwrap(api.GET('/api/metrics/mostrecentlyanomalous', { params: { query: LAST_ANOMALY }, signal })),
});

/** The messages about an incident, found by one of its anomalies. */
export const sentAboutQuery = (anomalyId: number) =>
  queryOptions({
    queryKey: ['anomaly', anomalyId, 'alerts'],
    queryFn: ({ signal }) =>
      unwrap(api.GET('/api/anomaly/{anomaly_id}', { params: { path: { anomaly_id: anomalyId } }, signal })),
    select: ({ alerts }) => alerts.filter(({ state }) => state === 'sent'),
  });

export const mostAnomalousQuery = (window: Window) =>
  queryOptions({
    queryKey: ['metrics', 'mostanomalous', window.from, window.until],
    queryFn: ({ signal }) =>
      unwrap(api.GET('/api/metrics/mostanomalous', { params: { query: mostAnomalous(window) }, signal })),
    placeholderData: keepPreviousData,
  });

export const recentlyMatchedQuery = queryOptions({
  queryKey: ['matches', 'recent'],
  queryFn: ({ signal }) =>
    unwrap(api.GET('/api/metrics/mostrecentlymatched', { params: { query: RECENT_MATCHES }, signal })),
});

const seconds = (milliseconds: unknown): number => Math.floor(Number(milliseconds) / 1000);

/** Anomalies of the window as stretches of the swim-lane: in the flat rows for dashboards, which are small. */
export const stretchesQuery = (window: Window) =>
  queryOptions({
    queryKey: ['anomalies', 'stretches', window.from, window.until],
    queryFn: ({ signal }) =>
      unwrap(
        api.GET('/api/dashboard/org/{panel_name}', {
          params: { path: { panel_name: 'recentanomalies' }, query: stretches(window) },
          signal,
        }),
      ),
    select: ({ rows }) =>
      rows.map((row): LaneStretch & { metric: string } => ({
        metric: String(row.metric),
        id: Number(row.id),
        what: 'anomaly',
        from: seconds(row.time),
        until: row.time_end === null ? null : seconds(row.time_end),
        severity: Number(row.severity),
        isExpected: row.state === 'trained' || row.state === 'excluded',
        label: String(row.kind),
      })),
    placeholderData: keepPreviousData,
  });

/** Sends the requests of the page while its files are still loading. The page repeats failed requests. */
export function prefetchPage(client: QueryClient, window: Window): void {
  const answers = [
    client.query(openIncidentsQuery),
    client.query(summaryQuery),
    client.query(lastAnomalyQuery),
    client.query(mostAnomalousQuery(window)),
    client.query(stretchesQuery(window)),
    client.query(recentlyMatchedQuery),
  ];
  void Promise.allSettled(answers);
}

/** Matches of a metric within the window. */
export const matchesQuery = (metricId: number, metric: string, { from, until }: Window) =>
  queryOptions({
    queryKey: ['matches', metricId, from, until],
    queryFn: ({ signal }) =>
      unwrap(
        api.GET('/api/dashboard/metric/{metric_name}/matches', {
          params: { path: { metric_name: `id:${String(metricId)}` }, query: { from, until, limit: 60 } },
          signal,
        }),
      ),
    select: ({ annotations }) =>
      annotations.map((match): LaneStretch & { metric: string } => ({
        metric,
        id: match.id,
        what: 'match',
        from: seconds(match.time),
        until: seconds(match.timeEnd),
        severity: 0,
        isExpected: true,
        label: match.tags[1] ?? '',
      })),
    placeholderData: keepPreviousData,
  });

/** Maximum number of metrics whose states are read, to count the learnt ones. */
export const MAX_METRICS_READ = 200;
export const metricStatesQuery = queryOptions({
  queryKey: ['metrics', 'states'],
  queryFn: ({ signal }) => unwrap(api.GET('/api/metrics', { params: { query: { limit: MAX_METRICS_READ } }, signal })),
  select: ({ metrics }) => metrics.filter((metric) => standingOf(metric) === 'live').length,
  staleTime: 5 * 60_000,
});
