import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, type Schema, unwrap } from '../../../lib/api';

interface Stretch {
  from: number;
  until: number;
}

const path = (metric_name: string) => ({ metric_name });

export const metricQuery = (name: string) =>
  queryOptions({
    queryKey: ['metric', name, 'info'],
    queryFn: ({ signal }) => unwrap(api.GET('/api/metric/{metric_name}', { params: { path: path(name) }, signal })),
    refetchInterval: 60_000,
  });

/** Values of a stretch; previously loaded values stay until they arrive. */
export const timeseriesQuery = (name: string, window: Stretch, maxPoints: number) =>
  queryOptions({
    queryKey: ['metric', name, 'timeseries', window, maxPoints],
    queryFn: ({ signal }) =>
      unwrap(
        api.GET('/api/metric/{metric_name}/timeseries', {
          params: { path: path(name), query: { ...window, max_points: maxPoints } },
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
  });

export const yhatQuery = (name: string, window: Stretch, maxPoints: number) =>
  queryOptions({
    queryKey: ['metric', name, 'yhat', window, maxPoints],
    queryFn: ({ signal }) =>
      unwrap(
        api.GET('/api/metric/{metric_name}/yhat', {
          params: {
            path: path(name),
            query: {
              ...window,
              max_points: maxPoints,
              include_value: false,
              include_mean: false,
              include_anomalous_periods: false,
            },
          },
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
  });

export const anomaliesQuery = (name: string, window: Stretch, limit = 300) =>
  queryOptions({
    queryKey: ['metric', name, 'anomalies', window, limit],
    queryFn: ({ signal }) =>
      unwrap(
        api.GET('/api/metric/{metric_name}/anomalies', {
          params: { path: path(name), query: { ...window, limit, order: 'newest' } },
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
  });

/** Matches of the window; the bundle is the only call that lists them by metric. */
export const matchesQuery = (name: string, window: Stretch) =>
  queryOptions({
    queryKey: ['metric', name, 'matches', window],
    queryFn: async ({ signal }): Promise<Schema<'MatchDto'>[]> => {
      const bundle = await unwrap(
        api.GET('/api/metric/{metric_name}/bundle', {
          params: { path: path(name), query: { ...window, include: ['matches'] } },
          signal,
        }),
      );
      return (bundle.matches?.matches ?? []) as Schema<'MatchDto'>[];
    },
    placeholderData: keepPreviousData,
  });

/** The start and end of the matched part: a match itself only has the time at which it was found. */
export const matchExtentQuery = (id: number) =>
  queryOptions({
    queryKey: ['match', id, 'extent'],
    queryFn: async ({ signal }) => {
      const { timeseries, match } = await unwrap(
        api.GET('/api/match/{match_id}', { params: { path: { match_id: id } }, signal }),
      );
      return {
        from: timeseries[0]?.[0] ?? match.timestamp - match.duration,
        until: timeseries.at(-1)?.[0] ?? match.timestamp,
      };
    },
    staleTime: Infinity,
  });

export const patternsQuery = (name: string) =>
  queryOptions({
    queryKey: ['metric', name, 'patterns'],
    queryFn: ({ signal }) =>
      unwrap(api.GET('/api/metric/{metric_name}/patterns', { params: { path: path(name) }, signal })),
  });

export const relatedQuery = (name: string, window: Stretch) =>
  queryOptions({
    queryKey: ['metric', name, 'related', window],
    queryFn: ({ signal }) =>
      unwrap(
        api.GET('/api/metric/{metric_name}/related', {
          params: { path: path(name), query: { ...window, limit: 8 } },
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
    // The API allows thirty calls per minute.
    staleTime: 5 * 60_000,
  });

export const tuningsQuery = (name: string) =>
  queryOptions({
    queryKey: ['tunings', 'of', name],
    queryFn: ({ signal }) => unwrap(api.GET('/api/tunings', { params: { query: { metric: name } }, signal })),
  });
