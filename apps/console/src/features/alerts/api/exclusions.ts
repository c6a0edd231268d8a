import { notifications } from '@mantine/notifications';
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api, type Schema, unwrap } from '../../../lib/api';
import { offerUndo } from '../../../lib/undo';
import { reloadQueries } from '../../../lib/reload';
import { bodyOfExclusion, type ExclusionBody, type ExclusionType, wholeBodyOf } from '../exclusion-form';
import { texts } from '../exclusions.texts';

export const EXCLUSIONS_PAGE_SIZE = 100;

export const exclusionsQuery = (page: number) =>
  queryOptions({
    queryKey: ['exclusion', 'list', page],
    queryFn: ({ signal }) =>
      unwrap(
        api.GET('/api/exclusion/list', {
          params: { query: { limit: EXCLUSIONS_PAGE_SIZE, offset: (page - 1) * EXCLUSIONS_PAGE_SIZE } },
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
  });

/** One exclusion, for editing. */
export const exclusionQuery = (id: number) =>
  queryOptions({
    queryKey: ['exclusion', id],
    queryFn: ({ signal }) =>
      unwrap(api.GET('/api/exclusion/{exclusion_id}', { params: { path: { exclusion_id: id } }, signal })),
    enabled: id > 0,
  });

/** Numbers of the types, in the order of the API. */
const TYPE_IDS: Record<ExclusionType, number> = { analysis: 1, learning: 2, stale_alert: 3, alerting: 4 };

/** The metrics that a new exclusion would cover. */
export const exclusionTestQuery = (chips: readonly string[], type: ExclusionType) =>
  queryOptions({
    queryKey: ['exclusion', 'test', chips, type],
    queryFn: ({ signal }) =>
      unwrap(
        api.GET('/api/exclusion/test', { params: { query: { chips: [...chips], type_id: TYPE_IDS[type] } }, signal }),
      ),
    enabled: chips.length > 0,
    placeholderData: keepPreviousData,
    retry: false,
  });

const add = (body: ExclusionBody) => unwrap(api.POST('/api/exclusion', { body }));

const change = (id: number, body: Partial<ExclusionBody>) =>
  unwrap(api.PUT('/api/exclusion/{exclusion_id}', { params: { path: { exclusion_id: id } }, body }));

const remove = (id: number) =>
  unwrap(api.DELETE('/api/exclusion/{exclusion_id}', { params: { path: { exclusion_id: id } } }));

const fail = (error: Error): void => {
  notifications.show({ color: 'red', message: texts.failed(error.message) });
};

/** Adds an exclusion and offers to undo that. */
export function useAddExclusion() {
  const client = useQueryClient();
  const reload = () => reloadQueries(client, ['exclusion']);
  return useMutation({
    mutationFn: add,
    onSuccess: ({ exclusion }) => {
      offerUndo(texts.added(exclusion.metrics_count), texts.undo, async () => {
        await remove(exclusion.id).catch(fail);
        await reload();
      });
      return reload();
    },
  });
}

/** Changes an exclusion and offers to undo that. */
export function useChangeExclusion(onDone: () => void) {
  const client = useQueryClient();
  const reload = () => reloadQueries(client, ['exclusion']);
  return useMutation({
    mutationFn: ({ before, body }: { before: Schema<'ExclusionDto'>; body: Partial<ExclusionBody> }) =>
      change(before.id, body),
    onSuccess: ({ exclusion }, { before }) => {
      onDone();
      offerUndo(texts.changed(exclusion.metrics_count), texts.undo, async () => {
        await change(before.id, wholeBodyOf(before)).catch(fail);
        await reload();
      });
      return reload();
    },
  });
}

/** Deletes an exclusion and offers to add it again. */
export function useDeleteExclusion() {
  const client = useQueryClient();
  const reload = () => reloadQueries(client, ['exclusion']);
  return useMutation({
    mutationFn: (exclusion: Schema<'ExclusionDto'>) => remove(exclusion.id),
    onSuccess: (_, exclusion) => {
      offerUndo(texts.removed(exclusion.chips.join(' ')), texts.undo, async () => {
        await add(bodyOfExclusion(exclusion)).catch(fail);
        await reload();
      });
      return reload();
    },
    onError: fail,
  });
}
