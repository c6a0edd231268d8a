import { notifications } from '@mantine/notifications';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { adminAlertsQuery } from '../../../lib/admin-alerts';
import { api, type Schema, unwrap } from '../../../lib/api';
import { offerUndo } from '../../../lib/undo';
import { reloadQueries } from '../../../lib/reload';
import { bodyOf, draftOf } from '../admin-recipients';
import { texts } from '../admin-alerts.texts';

const POLL_MS = 30_000;

/** Since when an admin alert has been active, why, and for which metrics. */
export const adminAlertQuery = (code: string) =>
  queryOptions({
    queryKey: ['admin-alerts', code],
    queryFn: ({ signal }) =>
      unwrap(api.GET('/api/org/adminalert/{alert_code}', { params: { path: { alert_code: code } }, signal })),
    refetchInterval: POLL_MS,
  });

const setEnabled = (id: number, enabled: boolean) =>
  unwrap(api.PUT('/api/org/adminalerts', { body: { admin_alerts: [{ id, enabled }] } }));

const showFailure = (error: Error): void => {
  notifications.show({ color: 'red', message: texts.failed(error.message) });
};

const setRecipients = (body: ReturnType<typeof bodyOf>) => unwrap(api.PUT('/api/org/adminalerts', { body }));

/** Sets the recipients of an admin alert, and offers to undo that. */
export function useSetRecipients(onDone: () => void) {
  const client = useQueryClient();
  const reload = () => reloadQueries(client, adminAlertsQuery.queryKey);
  return useMutation({
    mutationFn: ({ body }: { alert: Schema<'AdminAlertDto'>; body: ReturnType<typeof bodyOf> }) => setRecipients(body),
    onSuccess: (_, { alert }) => {
      void reload();
      onDone();
      offerUndo(texts.savedRecipients(alert.name), texts.undo, async () => {
        await setRecipients(bodyOf(alert.id, draftOf(alert))).catch(showFailure);
        await reload();
      });
    },
  });
}

/** Switches an admin alert on or off, and offers to undo that. */
export function useSetAdminAlert() {
  const client = useQueryClient();
  const reload = () => reloadQueries(client, adminAlertsQuery.queryKey);
  return useMutation({
    mutationFn: ({ alert, enabled }: { alert: Schema<'AdminAlertDto'>; enabled: boolean }) =>
      setEnabled(alert.id, enabled),
    onSuccess: (_, { alert: { id, name }, enabled }) => {
      void reload();
      offerUndo((enabled ? texts.switchedOn : texts.switchedOff)(name), texts.undo, async () => {
        await setEnabled(id, !enabled).catch(showFailure);
        await reload();
      });
    },
    onError: showFailure,
  });
}
