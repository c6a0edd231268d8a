import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { texts } from '../components/components.texts';
import { api, unwrap } from './api';
import { reloadQueries } from './reload';
import { offerUndo } from './undo';

const STALE = ['incidents', 'incident', 'anomalies', 'anomaly'];
/** Maximum number of separately undone acknowledgements; more are undone together with their incident. */
const MAX_ONE_BY_ONE = 20;

const acknowledge = (anomalyId: number, body: { acknowledged: boolean; incident: boolean }) =>
  unwrap(api.POST('/api/anomaly/{anomaly_id}/acknowledge', { params: { path: { anomaly_id: anomalyId } }, body }));

async function unacknowledge(ids: readonly number[]): Promise<void> {
  if (ids.length > MAX_ONE_BY_ONE) await acknowledge(ids[0]!, { acknowledged: false, incident: true });
  else await Promise.all(ids.map((id) => acknowledge(id, { acknowledged: false, incident: false })));
}

/** The incident is acknowledged through one of its anomalies, which must be open. */
async function openAnomalyOf(incidentId: number): Promise<number> {
  const query = { incident_id: incidentId, state: ['open' as const], acknowledged: false, limit: 1 };
  const { anomalies } = await unwrap(api.GET('/api/anomalies', { params: { query } }));
  const id = anomalies[0]?.id;
  if (typeof id !== 'number') throw new Error(texts.noneOpen);
  return id;
}

/** One anomaly, or all open anomalies of an incident. */
export type AcknowledgedThing = { anomalyId: number } | { incidentId: number };

/** Acknowledges an anomaly, or all open ones of an incident, and offers to undo it. */
export function useAcknowledge() {
  const client = useQueryClient();
  const reload = () => reloadQueries(client, ...STALE.map((key) => [key]));
  return useMutation({
    mutationFn: async (what: AcknowledgedThing) =>
      'anomalyId' in what
        ? acknowledge(what.anomalyId, { acknowledged: true, incident: false })
        : acknowledge(await openAnomalyOf(what.incidentId), { acknowledged: true, incident: true }),
    onSuccess: ({ acknowledged_ids: ids }) => {
      void reload();
      offerUndo(texts.acknowledged(ids.length), texts.undo, async () => {
        try {
          await unacknowledge(ids);
        } catch (error) {
          notifications.show({ color: 'red', message: texts.notTakenBack(reasonOf(error)) });
        }
        void reload();
      });
    },
    onError: (error) => {
      notifications.show({ color: 'red', message: texts.notAcknowledged(reasonOf(error)) });
      void reload();
    },
  });
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
