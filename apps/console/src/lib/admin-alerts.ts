import { queryOptions } from '@tanstack/react-query';
import { api, unwrap } from './api';

/** The alerts about the service itself, with their states. */
export const adminAlertsQuery = queryOptions({
  queryKey: ['admin-alerts'],
  queryFn: ({ signal }) => unwrap(api.GET('/api/org/adminalerts', { signal })),
});
