import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, type Schema, unwrap } from '../../../lib/api';
import { isolated } from '../../../lib/isolated';
import { reloadQueries } from '../../../lib/reload';
import { offerUndo } from '../../../lib/undo';
import { texts } from '../alerts.texts';

type Watcher = Pick<Schema<'WatcherDto'>, 'id' | 'name'>;

const path = (id: number) => ({ path: { watcher_id: id } });
const restore = (id: number) => unwrap(api.POST('/api/watcher/{watcher_id}/undelete', { params: path(id) }));
const fail = (error: Error): void => {
  notifications.show({ color: 'red', message: texts.failed(error.message) });
};

/** Sends a test alert over every channel of a watcher; returns the outcome. */
export function useTestAlert(id: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async () => {
      const body = { test_alert: true };
      const { test_results: results } = await unwrap(api.PUT('/api/watcher/{watcher_id}', { params: path(id), body }));
      return results;
    },
    onSettled: () => reloadQueries(client, ['watchers'], ['deliveries'], ['integrations']),
  });
}

/** Deletes a watcher and offers to restore it. */
export function useDeleteWatcher() {
  const client = useQueryClient();
  const reload = () => reloadQueries(client, ['watchers']);
  return useMutation({
    mutationFn: ({ id }: Watcher) => unwrap(api.DELETE('/api/watcher/{watcher_id}', { params: path(id) })),
    onSuccess: (_, { id, name }) => {
      offerUndo(texts.wasDeleted(isolated(name)), texts.undo, async () => {
        await restore(id).catch(fail);
        await reload();
      });
      return reload();
    },
    onError: fail,
  });
}

/** Restores a watcher that was deleted in the last 30 days. */
export function useRestoreWatcher() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: Watcher) => restore(id),
    onSuccess: (_, { name }) => {
      notifications.show({ message: texts.wasRestored(isolated(name)) });
      return reloadQueries(client, ['watchers']);
    },
    onError: fail,
  });
}
