import { queryOptions } from '@tanstack/react-query';
import { api, unwrap } from './api';

/** By which ways people get in here. */
export const loginMethodsQuery = queryOptions({
  queryKey: ['login', 'methods'],
  queryFn: ({ signal }) => unwrap(api.GET('/api/login/methods', { signal })),
  staleTime: 5 * 60_000,
});
