import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, unwrap } from '../../../lib/api';
import { texts } from '../configuration.texts';

/** The current document. Requested by a button, because it is large and the audit log records the request. */
export const useExport = () =>
  useMutation({
    mutationFn: (format: 'yaml' | 'json') => unwrap(api.GET('/api/config/export', { params: { query: { format } } })),
  });

export interface Application {
  document: string;
  prune: boolean;
}

/** The changes that a document would cause; none is applied. */
export const useCheck = () =>
  useMutation({
    mutationFn: (application: Application) =>
      unwrap(api.POST('/api/config/apply', { body: { ...application, dry_run: true } })),
  });

/** Applies a document. */
export function useApply(onDone: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (application: Application) =>
      unwrap(api.POST('/api/config/apply', { body: { ...application, dry_run: false } })),
    onSuccess: ({ changes }) => {
      onDone();
      notifications.show({ message: texts.applied(changes.filter(({ action }) => action !== 'unchanged').length) });
      // It may have changed any data.
      return client.invalidateQueries();
    },
  });
}
