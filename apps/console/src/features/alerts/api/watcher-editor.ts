import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { notifications } from '@mantine/notifications';
import { api, type Schema, unwrap } from '../../../lib/api';
import { isolated } from '../../../lib/isolated';
import { offerUndo } from '../../../lib/undo';
import { reloadQueries } from '../../../lib/reload';
import { draftOf, lackOf, previewBody, REPLAY_DAYS, watcherBody, type WatcherDraft } from '../watcher-draft';
import { texts } from '../watcher-editor.texts';

const MAX_USERS = 200;
const MAX_METRICS = 50;
const CHART_POINTS = 600;
const DAY = 86_400;

/** The people of the organisation. */
export const usersQuery = queryOptions({
  queryKey: ['org', 'users', MAX_USERS],
  queryFn: ({ signal }) => unwrap(api.GET('/api/org/users', { params: { query: { limit: MAX_USERS } }, signal })),
  staleTime: 60_000,
});

const fail = (error: Error): void => {
  notifications.show({ color: 'red', message: texts.failed(error.message) });
};

/** The connected channels, and whether they work. */
export const servicesQuery = queryOptions({
  queryKey: ['integrations'],
  queryFn: ({ signal }) => unwrap(api.GET('/api/integration/list', { signal })),
  staleTime: 30_000,
});

/** The replayed four weeks, to the minute: the same for the preview and for the chart next to it. */
function replayWindow(): { from: number; until: number } {
  const until = Math.floor(Date.now() / 60_000) * 60;
  return { from: until - REPLAY_DAYS * DAY, until };
}

/** The messages that a watcher would have sent in four weeks. */
export const replayQuery = (draft: WatcherDraft) => {
  const body = previewBody(draft);
  return queryOptions({
    queryKey: ['watchers', 'preview', body],
    queryFn: ({ signal }) => unwrap(api.POST('/api/watcher/preview', { body: { ...body, ...replayWindow() }, signal })),
    enabled: lackOf(draft) === null,
    placeholderData: keepPreviousData,
    staleTime: 60_000,
    retry: false,
  });
};

/** Names of metrics that the chips select, for the chart. */
export const watchedMetricsQuery = (chips: readonly string[]) =>
  queryOptions({
    queryKey: ['metrics', 'watched', chips],
    queryFn: ({ signal }) =>
      unwrap(
        api.GET('/api/metrics', {
          params: { query: { limit: MAX_METRICS, ...(chips[0] === '*' ? {} : { chips: [...chips] }) } },
          signal,
        }),
      ),
    enabled: chips.length > 0,
    placeholderData: keepPreviousData,
  });

/** The four weeks of one metric; for counters the rates, which the watcher evaluates. */
export const watchedSeriesQuery = (metric: string) =>
  queryOptions({
    queryKey: ['metric', metric, 'watched'],
    queryFn: async ({ signal }) => {
      const window = replayWindow();
      const answer = await unwrap(
        api.GET('/api/metric/{metric_name}/timeseries', {
          params: { path: { metric_name: metric }, query: { ...window, max_points: CHART_POINTS } },
          signal,
        }),
      );
      const points = (answer.derivative ?? answer.points) as [number, number | null][];
      return { window, points };
    },
    enabled: metric !== '',
    staleTime: 60_000,
  });

const create = (draft: WatcherDraft) =>
  draft.type === 'threshold'
    ? unwrap(api.POST('/api/watcher/threshold', { body: watcherBody(draft) }))
    : unwrap(api.POST('/api/watcher', { body: watcherBody(draft) }));

/** Does not change whether the watcher alerts. */
function change(id: number, draft: WatcherDraft) {
  const { alert: _alert, ...body } = watcherBody(draft);
  const params = { path: { watcher_id: id } };
  return draft.type === 'threshold'
    ? unwrap(api.PUT('/api/watcher/threshold/{watcher_id}', { params, body }))
    : unwrap(api.PUT('/api/watcher/{watcher_id}', { params, body }));
}

/** Creates the watcher and offers to delete it again. */
export function useCreateWatcher(onDone: (id: number) => void) {
  const client = useQueryClient();
  const reload = () => reloadQueries(client, ['watchers']);
  return useMutation({
    mutationFn: create,
    onSuccess: ({ watcher }) => {
      onDone(watcher.id);
      offerUndo(texts.saved(isolated(watcher.name)), texts.undo, async () => {
        await unwrap(api.DELETE('/api/watcher/{watcher_id}', { params: { path: { watcher_id: watcher.id } } }));
        await reload();
      });
      return reload();
    },
  });
}

/** Changes a watcher and offers to undo the change. */
export function useChangeWatcher(before: Schema<'WatcherDto'>, onDone: () => void) {
  const client = useQueryClient();
  const reload = () => reloadQueries(client, ['watchers']);
  return useMutation({
    mutationFn: (draft: WatcherDraft) => change(before.id, draft),
    onSuccess: ({ watcher }) => {
      onDone();
      offerUndo(texts.changed(isolated(watcher.name)), texts.undo, async () => {
        await change(before.id, draftOf(before)).catch(fail);
        await reload();
      });
      return reload();
    },
  });
}
