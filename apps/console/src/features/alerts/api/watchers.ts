import { notifications } from '@mantine/notifications';
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api, type Schema, unwrap } from '../../../lib/api';
import { isolated } from '../../../lib/isolated';
import { offerUndo } from '../../../lib/undo';
import { reloadQueries } from '../../../lib/reload';
import { texts } from '../alerts.texts';

export const PAGE_SIZE = 100;

export const watchersQuery = (page: number, hasDeleted = false) =>
  queryOptions({
    queryKey: ['watchers', 'list', page, hasDeleted],
    queryFn: ({ signal }) =>
      unwrap(
        api.GET('/api/watchers/list', {
          params: {
            query: { limit: PAGE_SIZE, offset: (page - 1) * PAGE_SIZE, order: 'name', include_deleted: hasDeleted },
          },
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
  });

export const watcherQuery = (id: number) =>
  queryOptions({
    queryKey: ['watchers', 'one', id],
    queryFn: ({ signal }) =>
      unwrap(api.GET('/api/watcher/{watcher_id}', { params: { path: { watcher_id: id } }, signal })),
  });

const setAlert = (id: number, alert: boolean) =>
  unwrap(api.PUT('/api/watcher/{watcher_id}', { params: { path: { watcher_id: id } }, body: { alert } }));

/** Pauses or resumes a watcher, and offers to undo that. */
export function useSetAlert() {
  const client = useQueryClient();
  const reload = () => reloadQueries(client, ['watchers']);
  const fail = (error: Error): void => {
    notifications.show({ color: 'red', message: texts.failed(error.message) });
  };
  return useMutation({
    mutationFn: ({ watcher, alert }: { watcher: Schema<'WatcherDto'>; alert: boolean }) => setAlert(watcher.id, alert),
    onSuccess: (_, { watcher: { id, name }, alert }) => {
      void reload();
      offerUndo((alert ? texts.resumed : texts.paused)(isolated(name)), texts.undo, async () => {
        await setAlert(id, !alert).catch(fail);
        await reload();
      });
    },
    onError: fail,
  });
}
