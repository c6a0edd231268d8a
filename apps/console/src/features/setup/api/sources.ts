import { notifications } from '@mantine/notifications';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api, unwrap } from '../../../lib/api';
import { isolated } from '../../../lib/isolated';
import { reloadQueries } from '../../../lib/reload';
import { type bodyOfSource, type Source } from '../source-form';
import { texts } from '../sources.texts';

const POLL_MS = 15_000;
const BACKFILL_POLL_MS = 2000;
/** Maximum number of sources of an organisation. */
const MAX_SOURCES = 200;

const isBackfilling = ({ state }: Source): boolean => state === 'backfilling';

export const sourcesQuery = queryOptions({
  queryKey: ['source', 'list'],
  queryFn: ({ signal }) => unwrap(api.GET('/api/sources', { params: { query: { limit: MAX_SOURCES } }, signal })),
  staleTime: 0,
  refetchInterval: ({ state }) => (state.data?.sources.some(isBackfilling) ? BACKFILL_POLL_MS : POLL_MS),
});

const pathOf = (id: number) => ({ path: { source_id: id } });

export const sourceQuery = (id: number) =>
  queryOptions({
    queryKey: ['source', id],
    queryFn: ({ signal }) => unwrap(api.GET('/api/source/{source_id}', { params: pathOf(id), signal })),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data && isBackfilling(state.data.source) ? BACKFILL_POLL_MS : POLL_MS),
  });

type SourceBody = ReturnType<typeof bodyOfSource>;

/** Runs the query once; nothing is stored. `id`: a source whose stored secrets are used. */
export function useTestSource(id: number | null) {
  return useMutation({
    mutationFn: (body: SourceBody) =>
      unwrap(api.POST('/api/source/test', { body: id === null ? body : { ...body, source_id: id } })),
  });
}

export function useCreateSource(onDone: (source: Source) => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: SourceBody) => unwrap(api.POST('/api/source', { body })),
    onSuccess: async ({ source }) => {
      notifications.show({ message: texts.saved(isolated(source.name)) });
      await reloadQueries(client, ['source']);
      onDone(source);
    },
  });
}

export function useChangeSource(id: number, onDone: () => void = () => undefined) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: SourceBody | { enabled: boolean }) =>
      unwrap(api.PUT('/api/source/{source_id}', { params: pathOf(id), body })),
    onSuccess: async ({ source, details }) => {
      const needsSecret = details.some(({ code }) => code === 'secret_needed');
      notifications.show({ message: (needsSecret ? texts.savedWithoutSecret : texts.saved)(isolated(source.name)) });
      await reloadQueries(client, ['source']);
      onDone();
    },
  });
}

export function useDeleteSource(onDone: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: Source) => unwrap(api.DELETE('/api/source/{source_id}', { params: pathOf(id) })),
    onSuccess: (_, { id, name }) => {
      onDone();
      client.removeQueries({ queryKey: ['source', id] });
      notifications.show({ message: texts.deleted(isolated(name)) });
      return reloadQueries(client, sourcesQuery.queryKey);
    },
  });
}
