import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { shownUnit } from '../../../lib/numbers';
import { api, type Schema, unwrap } from '../../../lib/api';
import { SEVERITY_MIN } from '../../../lib/search-params';
import { type IncidentsSearch } from '../incidents-search';

export const PAGE_SIZE = 50;

export const incidentsQuery = (
  { state, severity, chips, order, page = 1 }: IncidentsSearch,
  { from, until }: { from: number; until: number },
) =>
  queryOptions({
    queryKey: ['incidents', 'list', { state, severity, chips, order, page, from, until }],
    queryFn: ({ signal }) =>
      unwrap(
        api.GET('/api/incidents', {
          params: {
            query: {
              from,
              until,
              ...(state && { state: [state] }),
              ...(chips && { chips }),
              ...(severity && { severity_min: SEVERITY_MIN[severity] }),
              order: order ?? 'newest',
              limit: PAGE_SIZE,
              offset: (page - 1) * PAGE_SIZE,
            },
          },
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
  });

export const incidentQuery = (id: number) =>
  queryOptions({
    queryKey: ['incident', id],
    queryFn: ({ signal }) =>
      unwrap(api.GET('/api/incidents/{incident_id}', { params: { path: { incident_id: id } }, signal })),
  });

/** Maximum number of messages of one incident that are read. */
const MAX_MESSAGES = 1000;
/** Interval for polling unfinished messages: events only report messages that were sent or given up. */
const WAITING_MS = 5000;

/** The messages about an incident, with their outcomes; `started` in Unix seconds. */
export const messagesQuery = (incidentId: number, started: number) =>
  queryOptions({
    queryKey: ['deliveries', 'incident', incidentId, started],
    queryFn: ({ signal }) =>
      unwrap(
        api.GET('/api/deliveries', {
          params: { query: { incident_id: incidentId, from: started, limit: MAX_MESSAGES } },
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data } }) =>
      data?.deliveries.some(({ state }) => state === 'queued' || state === 'retrying') ? WAITING_MS : false,
  });

/** Columns of a small picture. Unix seconds; null = gap. */
export interface MemberLine {
  points: (readonly [timestamp: number, value: number | null])[];
  lower: (number | null)[];
  upper: (number | null)[];
  hasRange: boolean;
}

/** Number of points across a small picture. */
const POINTS = 240;

/** Values and expected range of a metric over the window of all members. */
export const memberQuery = (metricId: number, { from, until }: { from: number; until: number }) =>
  queryOptions({
    queryKey: ['metric', metricId, 'member', from, until],
    queryFn: async ({ signal }) =>
      unwrap(
        api.GET('/api/metric/{metric_name}/bundle', {
          params: {
            path: { metric_name: `id:${String(metricId)}` },
            query: { from, until, include: ['timeseries', 'yhat'], max_points: POINTS },
          },
          signal,
        }),
      ),
    select: ({ timeseries, yhat, metric }) => ({
      unit: shownUnit(metric),
      line: lineOf(timeseries as Schema<'TimeseriesDto'> | undefined, yhat as Schema<'YhatDto'> | undefined),
    }),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  });

function lineOf(timeseries: Schema<'TimeseriesDto'> | undefined, yhat: Schema<'YhatDto'> | undefined): MemberLine {
  if (yhat?.available) {
    return {
      points: yhat.yhat.map(({ timestamp, value }) => [timestamp, value ?? null] as const),
      lower: yhat.yhat.map((point) => point.yhat_real_lower ?? point.yhat_lower ?? null),
      upper: yhat.yhat.map((point) => point.yhat_upper ?? null),
      hasRange: true,
    };
  }
  const points = timeseries?.derivative ?? timeseries?.points ?? [];
  return {
    points: points.map(([timestamp, value]) => [timestamp ?? 0, value ?? null] as const),
    lower: [],
    upper: [],
    hasRange: false,
  };
}
