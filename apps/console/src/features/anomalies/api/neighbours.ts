import { queryOptions } from '@tanstack/react-query';
import { api, unwrap } from '../../../lib/api';

const MAX_RELATED = 6;
const YEAR_DAYS = 365;
const MAX_EARLIER = 1000;

/** Metrics that move with a metric, for the window around the anomaly. */
export const relatedQuery = (name: string, { from, until }: { from: number; until: number }) =>
  queryOptions({
    queryKey: ['metric', name, 'related', from, until],
    queryFn: ({ signal }) =>
      unwrap(
        api.GET('/api/metric/{metric_name}/related', {
          params: { path: { metric_name: name }, query: { from, until, limit: MAX_RELATED } },
          signal,
        }),
      ),
    staleTime: 5 * 60_000,
  });

/** The number of anomalies of each kind in the last year. */
export const summaryQuery = (name: string) =>
  queryOptions({
    queryKey: ['metric', name, 'anomalysummary'],
    queryFn: ({ signal }) =>
      unwrap(
        api.GET('/api/metric/{metric_name}/anomalysummary', {
          params: { path: { metric_name: name }, query: { days: YEAR_DAYS } },
          signal,
        }),
      ),
    staleTime: 60_000,
  });

/** Anomalies of the metric in the year before `until` (Unix seconds), newest first. */
export const earlierQuery = (name: string, until: number) =>
  queryOptions({
    queryKey: ['metric', name, 'anomalies', 'before', until],
    queryFn: ({ signal }) =>
      unwrap(
        api.GET('/api/metric/{metric_name}/anomalies', {
          params: {
            path: { metric_name: name },
            query: { from: until - YEAR_DAYS * 86_400, until, limit: MAX_EARLIER },
          },
          signal,
        }),
      ),
    staleTime: 60_000,
  });
