import { queryOptions, useQuery } from '@tanstack/react-query';
import { api, type Schema, unwrap } from './api';

/** The account of the session: its user and organisation. */
export const meQuery = queryOptions({
  queryKey: ['user', 'info'],
  queryFn: ({ signal }) => unwrap(api.GET('/api/user/info', { signal })),
  staleTime: 5 * 60_000,
});

/** The signed-in user; only for pages below the shell, which loads it first. */
export function useMe(): Schema<'UserDto'> {
  return useQuery(meQuery).data!.user;
}

/** True if the user may change data: visitors of the demo can only read; tokens and people are for administrators. */
export function useMayWrite(): boolean {
  return !useMe().demo;
}
