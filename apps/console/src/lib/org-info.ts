import { queryOptions } from '@tanstack/react-query';
import { api, unwrap } from './api';

/** The organisation: its settings, administrators and addresses. */
export const orgInfoQuery = queryOptions({
  queryKey: ['org', 'info'],
  queryFn: ({ signal }) => unwrap(api.GET('/api/org/info', { signal })),
});
