import { queryOptions } from '@tanstack/react-query';
import { api, unwrap } from './api';

/** Counts of the organisation: metrics by state, alerts, the last point. */
export const summaryQuery = queryOptions({
  queryKey: ['org', 'summary'],
  queryFn: ({ signal }) => unwrap(api.GET('/api/org/summary', { signal })),
  refetchInterval: 30_000,
});
