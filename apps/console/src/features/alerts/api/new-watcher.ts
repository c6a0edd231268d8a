import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api, unwrap } from '../../../lib/api';
import { offerUndo } from '../../../lib/undo';
import { reloadQueries } from '../../../lib/reload';
import { previewBody, REPLAY_DAYS, watcherBody, type WatcherDraft } from '../new-watcher';
import { words } from '../new-watcher.words';

const MOST_USERS = 200;

/** The people of the organisation. */
export const usersQuery = queryOptions({
  queryKey: ['org', 'users', MOST_USERS],
  queryFn: ({ signal }) => unwrap(api.GET('/api/org/users', { params: { query: { limit: MOST_USERS } }, signal })),
  staleTime: 60_000,
});

/** What a watcher would have sent in four weeks. */
export const replayQuery = (draft: WatcherDraft) => {
  const body = previewBody(draft);
  return queryOptions({
    queryKey: ['watchers', 'preview', body],
    queryFn: ({ signal }) => {
      const until = Math.floor(Date.now() / 1000);
      return unwrap(
        api.POST('/api/watcher/preview', { body: { ...body, from: until - REPLAY_DAYS * 86_400, until }, signal }),
      );
    },
    enabled: body.chips.length > 0,
    placeholderData: keepPreviousData,
    staleTime: 60_000,
    retry: false,
  });
};

/** Makes the watcher and offers to delete it again. */
export function useCreateWatcher(onDone: (id: number) => void) {
  const client = useQueryClient();
  const reload = () => reloadQueries(client, ['watchers']);
  return useMutation({
    mutationFn: (draft: WatcherDraft) => unwrap(api.POST('/api/watcher', { body: watcherBody(draft) })),
    onSuccess: ({ watcher }) => {
      onDone(watcher.id);
      offerUndo(words.saved(watcher.name), words.undo, async () => {
        await unwrap(api.DELETE('/api/watcher/{watcher_id}', { params: { path: { watcher_id: watcher.id } } }));
        await reload();
      });
      return reload();
    },
  });
}
