import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { texts } from '../components/components.texts';
import { api, unwrap } from './api';
import { chipOfMetric } from './metric-chip';
import { reloadQueries } from './reload';
import { offerUndo } from './undo';

const HOURS = 2;
const HOUR = 3600;

const fail = (error: Error): void => {
  notifications.show({ color: 'red', message: texts.excludeFailed(error.message) });
};

/** Suppresses messages about one metric for two hours, starting now, and offers to undo that. */
export function useExcludeForHours() {
  const client = useQueryClient();
  const reload = () => reloadQueries(client, ['exclusion'], ['metric'], ['anomaly']);
  return useMutation({
    mutationFn: (metric: string) => {
      const from = Math.floor(Date.now() / 1000);
      const body = { type: 'alerting' as const, chips: [chipOfMetric(metric)], from, until: from + HOURS * HOUR };
      return unwrap(api.POST('/api/exclusion', { body }));
    },
    onSuccess: ({ exclusion }, metric) => {
      offerUndo(texts.excluded(metric, HOURS), texts.undo, async () => {
        const params = { path: { exclusion_id: exclusion.id } };
        await unwrap(api.DELETE('/api/exclusion/{exclusion_id}', { params })).catch(fail);
        await reload();
      });
      return reload();
    },
    onError: fail,
  });
}
