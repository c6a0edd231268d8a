import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { texts } from '../components/components.texts';
import { api, unwrap } from './api';
import { meQuery, useMe } from './me';
import { useNow } from './now';
import { reloadQueries } from './reload';
import { offerUndo } from './undo';

/** Time until which the alerts of watchers are muted, Unix seconds; null: they are not muted. */
export function useMutedUntil(): number | null {
  const { muted_until_timestamp: until } = useMe().org.alert_muting;
  const now = useNow();
  return until !== null && until > now ? until : null;
}

const setMuted = (minutes: number) => unwrap(api.PUT('/api/org', { body: { alerts_muted_minutes: minutes } }));

/** Mutes the alerts of watchers for some minutes, or unmutes them with 0, and offers to undo it. */
export function useMute() {
  const client = useQueryClient();
  const before = useMutedUntil();
  const reload = () => reloadQueries(client, meQuery.queryKey, ['org']);
  const fail = (error: Error): void => {
    notifications.show({ color: 'red', message: texts.muteFailed(error.message) });
  };
  return useMutation({
    mutationFn: setMuted,
    onSuccess: (_, minutes) => {
      offerUndo(minutes === 0 ? texts.unmuted : texts.muted, texts.undo, async () => {
        const left = before === null ? 0 : Math.max(0, Math.ceil((before - Date.now() / 1000) / 60));
        await setMuted(left).catch(fail);
        await reload();
      });
      return reload();
    },
    onError: fail,
  });
}
