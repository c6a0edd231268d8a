import { notifications } from '@mantine/notifications';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api, type Schema, unwrap } from '../../../lib/api';
import { reloadQueries } from '../../../lib/reload';
import { type IntegrationBody } from '../integration-form';
import { texts } from '../integrations.texts';

const POLL_MS = 30_000;

export const servicesQuery = queryOptions({
  queryKey: ['integration', 'list'],
  queryFn: ({ signal }) => unwrap(api.GET('/api/integration/list', { signal })),
  refetchInterval: POLL_MS,
});

/** Changes settings. Only this answer contains a secret that was generated for it in full. */
export function useSaveService({ id, name }: Schema<'ServiceDto'>, onDone: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: IntegrationBody) =>
      unwrap(
        api.PUT('/api/integration/{service_id}/orgproperties', {
          params: { path: { service_id: id } },
          body,
        }),
      ),
    onSuccess: async ({ service, details }) => {
      const needsSecret = details.some(({ code }) => code === 'secret_needed');
      const saved = service.connected ? texts.saved : texts.savedNotConnected;
      notifications.show({ message: (needsSecret ? texts.savedWithoutSecret : saved)(name) });
      await reloadQueries(client, ['integration']);
      onDone();
    },
  });
}

/** Sends a real test message; the answer states whether it was accepted. */
export function useTestService(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (recipient: string) =>
      unwrap(
        api.POST('/api/integration/{service_id}/test', {
          params: { path: { service_id: id } },
          body: recipient === '' ? {} : { recipient },
        }),
      ),
    onSettled: () => reloadQueries(client, ['integration']),
  });
}
