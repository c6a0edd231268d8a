import { notifications } from '@mantine/notifications';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api, unwrap } from '../../../lib/api';
import { isolated } from '../../../lib/isolated';
import { reloadQueries } from '../../../lib/reload';
import { texts } from '../removal.texts';

const erase = (metric: string, isDryRun: boolean, signal?: AbortSignal) =>
  unwrap(
    api.DELETE('/api/metric/{metric_name}', {
      params: { path: { metric_name: metric }, query: { dry_run: isDryRun } },
      ...(signal && { signal }),
    }),
  );

/** The data that erasing a metric would delete; nothing is deleted. */
export const erasureQuery = (metric: string) =>
  queryOptions({
    queryKey: ['metric', metric, 'erasure'],
    queryFn: ({ signal }) => erase(metric, true, signal),
    enabled: metric !== '',
    staleTime: 0,
    retry: false,
  });

/** Erases a metric. */
export function useEraseMetric(onDone: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (metric: string) => erase(metric, false),
    onSuccess: ({ metric, progress_id: job }) => {
      onDone();
      notifications.show({ message: (job === null ? texts.erased : texts.eraseGoesOn)(isolated(metric)) });
      return reloadQueries(client, ['metric'], ['metrics'], ['org'], ['anomalies']);
    },
  });
}

/** Deletes the organisation and the user's own account, and opens the sign-in. */
export const deleteOrg = async (password: string): Promise<void> => {
  await unwrap(api.POST('/api/user/delete', { body: { password, delete_org: true } }));
  location.assign('/login');
};
