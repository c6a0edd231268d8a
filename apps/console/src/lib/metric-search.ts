import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, unwrap } from './api';

const MOST = 8;

/** Metrics by a part of their names. */
export const metricSearchQuery = (sought: string) =>
  queryOptions({
    queryKey: ['metrics', 'search', sought],
    queryFn: ({ signal }) =>
      unwrap(api.GET('/api/metrics/search', { params: { query: { q: sought, limit: MOST } }, signal })),
    enabled: sought !== '',
    placeholderData: keepPreviousData,
  });
