import { queryOptions } from '@tanstack/react-query';
import { api, unwrap } from './api';

/** An integration by its id: its settings with their values, instructions, and lines to copy. */
export const serviceConfigQuery = (id: string) =>
  queryOptions({
    queryKey: ['integration', id, 'orgconfig'],
    queryFn: ({ signal }) =>
      unwrap(api.GET('/api/integration/{service_id}/orgconfig', { params: { path: { service_id: id } }, signal })),
    staleTime: 5 * 60_000,
  });
