import { queryOptions } from '@tanstack/react-query';
import { api, unwrap } from './api';

/** The methods by which users can sign in. */
export const loginMethodsQuery = queryOptions({
  queryKey: ['login', 'methods'],
  queryFn: ({ signal }) => unwrap(api.GET('/api/login/methods', { signal })),
  staleTime: 5 * 60_000,
});
