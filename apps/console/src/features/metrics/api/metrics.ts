import { queryOptions } from '@tanstack/react-query';
import { api, unwrap } from '../../../lib/api';
import { type ListPart } from '../list-parts';
import { type MetricsSearch } from '../metrics-search';

/** Time after which invisible parts of the list are discarded, so that a list of any length needs little memory. */
const KEPT_MS = 20_000;
const LINE_SECONDS = 86_400;
/** Windows of lines advance in steps, so that neighbours share an answer. */
const LINE_STEP_SECONDS = 300;

/**
 * Rows of the list in their order. Only in the order by name do rows keep their positions while data arrives; in the
 * other orders the rows stay as they were read until they are requested again.
 */
export const metricsQuery = ({ chips, state, order }: MetricsSearch, { offset, limit, reverse }: ListPart) =>
  queryOptions({
    queryKey: ['metrics', 'list', { chips, state, order, offset, limit, reverse }],
    queryFn: async ({ signal }) => {
      const answer = await unwrap(
        api.GET('/api/metrics', {
          params: {
            query: {
              chips,
              ...(state ? { state: [state] } : {}),
              order: order ?? 'name',
              limit,
              offset,
              ...(reverse ? { reverse } : {}),
            },
          },
          signal,
        }),
      );
      return reverse ? { ...answer, metrics: answer.metrics.toReversed() } : answer;
    },
    staleTime: order === undefined ? 30_000 : 'static',
    gcTime: KEPT_MS,
  });

/** Sparklines of the last 24 hours for some rows of the list. */
export const sparklinesQuery = (ids: readonly number[]) =>
  queryOptions({
    queryKey: ['metrics', 'sparklines', 'list', ids],
    queryFn: ({ signal }) => {
      const until = Math.floor(Date.now() / 1000 / LINE_STEP_SECONDS) * LINE_STEP_SECONDS;
      return unwrap(
        api.GET('/api/metrics/sparklines', {
          params: { query: { metric_ids: [...ids], from: until - LINE_SECONDS, until, points: 60 } },
          signal,
        }),
      );
    },
    enabled: ids.length > 0,
    staleTime: 60_000,
    refetchInterval: LINE_STEP_SECONDS * 1000,
    gcTime: KEPT_MS,
  });
