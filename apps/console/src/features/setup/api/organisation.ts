import { notifications } from '@mantine/notifications';
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api, unwrap } from '../../../lib/api';
import { meQuery } from '../../../lib/me';
import { reloadQueries } from '../../../lib/reload';
import { offerUndo } from '../../../lib/undo';
import { type Variables } from '../analysis-variables';
import { texts } from '../organisation.texts';
import { texts as setup } from '../setup.texts';

const ZONES_STAY_MS = 3_600_000;
const POLL_MS = 30_000;

/** The zones that the API accepts, with their current offset. */
export const zonesQuery = queryOptions({
  queryKey: ['misc', 'timezones'],
  queryFn: ({ signal }) => unwrap(api.GET('/api/misc/timezones', { signal })),
  staleTime: ZONES_STAY_MS,
});

/** Use of the quota. */
export const quotaQuery = queryOptions({
  queryKey: ['org', 'getquotametrics'],
  queryFn: ({ signal }) => unwrap(api.GET('/api/org/getquotametrics', { params: { query: { limit: 1 } }, signal })),
  refetchInterval: POLL_MS,
});

interface General {
  name: string;
  timezone: string;
}

/** Slot lengths that the API accepts; the field offers these. */
type SlotLength = 10 | 20 | 30 | 60 | 300;
type VariableChanges = Partial<Variables & { retention_1_resolution_seconds: SlotLength }>;

const putOrg = (body: Partial<General> | VariableChanges) => unwrap(api.PUT('/api/org', { body }));

const fail = (error: Error): void => {
  notifications.show({ color: 'red', message: setup.failed(error.message) });
};

/** Changes name or zone, and offers to undo that. */
export function useSaveGeneral() {
  const client = useQueryClient();
  const reload = () => reloadQueries(client, meQuery.queryKey, ['org']);
  return useMutation({
    mutationFn: ({ after }: { before: General; after: General }) => putOrg(after),
    onSuccess: (_, { before }) => {
      offerUndo(texts.saved, texts.undo, async () => {
        await putOrg(before).catch(fail);
        await reload();
      });
      return reload();
    },
  });
}

/** Changes analysis variables. Some of them delete data permanently. */
export function useSaveVariables(onDone: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (changes: Partial<Variables>) => putOrg(changes as VariableChanges),
    onSuccess: async () => {
      notifications.show({ message: texts.savedVariables });
      await reloadQueries(client, ['org']);
      onDone();
    },
  });
}

/** The metrics that would be removed from the quota; nothing is removed. */
export const removalQuery = (chips: readonly string[]) =>
  queryOptions({
    queryKey: ['org', 'removequotametrics', chips],
    queryFn: ({ signal }) =>
      unwrap(api.POST('/api/org/removequotametrics', { body: { chips: [...chips], dry_run: true }, signal })),
    enabled: chips.length > 0,
    placeholderData: keepPreviousData,
    retry: false,
  });

/** Removes metrics from the quota. */
export function useRemoveMetrics(onDone: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (chips: readonly string[]) =>
      unwrap(api.POST('/api/org/removequotametrics', { body: { chips: [...chips], dry_run: false } })),
    onSuccess: ({ count }) => {
      onDone();
      notifications.show({ message: texts.removed(count) });
      return reloadQueries(client, ['org'], ['metrics']);
    },
  });
}
