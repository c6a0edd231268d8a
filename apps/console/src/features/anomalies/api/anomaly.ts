import { keepPreviousData, queryOptions, type QueryClient } from '@tanstack/react-query';
import { api, type Schema, unwrap } from '../../../lib/api';
import { reloadQueries } from '../../../lib/reload';

/** An anomaly with its incident, anomalies that started near it, and its messages. */
export const anomalyQuery = (id: number) =>
  queryOptions({
    queryKey: ['anomaly', id],
    queryFn: ({ signal }) =>
      unwrap(api.GET('/api/anomaly/{anomaly_id}', { params: { path: { anomaly_id: id } }, signal })),
  });

/** A person's verdict on an anomaly. */
export interface Teaching {
  expected: boolean;
  label: string;
  /** Seconds. */
  durations: readonly number[];
  learn: boolean;
  remember: boolean;
}

const bodyOf = (id: number, { durations, ...rest }: Teaching) => ({
  anomaly_id: id,
  ...rest,
  // If durations are omitted, the server uses those for which there is data.
  ...(durations.length > 0 && rest.expected ? { durations: durations.map(String) } : {}),
});

/** The effect that the teaching would have had on the last days; nothing is stored. */
export const teachingPreviewQuery = (id: number, teaching: Teaching) =>
  queryOptions({
    queryKey: ['anomaly', id, 'preview', teaching],
    queryFn: ({ signal }) =>
      unwrap(api.POST('/api/anomaly/train', { body: { ...bodyOf(id, teaching), dry_run: true }, signal })),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  });

export const teach = (id: number, teaching: Teaching): Promise<Schema<'TrainedDto'>> =>
  unwrap(api.POST('/api/anomaly/train', { body: bodyOf(id, teaching) }));

export const untrain = (id: number): Promise<Schema<'UntrainedDto'>> =>
  unwrap(api.POST('/api/anomaly/{anomaly_id}/untrain', { params: { path: { anomaly_id: id } } }));

export const acknowledge = (
  id: number,
  body: { acknowledged: boolean; note?: string; incident?: boolean },
): Promise<Schema<'AcknowledgedDto'>> =>
  unwrap(api.POST('/api/anomaly/{anomaly_id}/acknowledge', { params: { path: { anomaly_id: id } }, body }));

/** Reloads the data that a verdict changes: the anomaly, its lists, patterns and counts. */
export async function reloadVerdicts(client: QueryClient): Promise<void> {
  const ofAnomalies = ['anomaly', 'anomalies', 'incidents', 'incident'];
  const keys = [...ofAnomalies, 'patterns', 'pattern', 'metric', 'metrics', 'matches', 'org'];
  await reloadQueries(client, ...keys.map((key) => [key]));
}
