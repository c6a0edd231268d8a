import { notifications } from '@mantine/notifications';
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api, type Schema, unwrap } from '../../../lib/api';
import { reloadQueries } from '../../../lib/reload';
import { type DeliveriesSearch } from '../deliveries-search';
import { texts } from '../deliveries.texts';

export const DELIVERIES_PAGE_SIZE = 50;
/** Interval for polling unfinished messages: events only report messages that were sent or given up. */
const WAITING_MS = 3000;

const isPending = ({ state }: Schema<'DeliveryDto'>): boolean => state === 'queued' || state === 'retrying';

export const deliveriesQuery = (search: DeliveriesSearch, { from, until }: { from: number; until: number }) => {
  const { state, channel, kind, watcher, anomaly, incident, page = 1 } = search;
  const query = {
    from,
    until,
    limit: DELIVERIES_PAGE_SIZE,
    offset: (page - 1) * DELIVERIES_PAGE_SIZE,
    ...(state && { state: [state] }),
    ...(channel && { channel: [channel] }),
    ...(kind && { kind: [kind] }),
    ...(watcher !== undefined && { watcher_id: watcher }),
    ...(anomaly !== undefined && { anomaly_id: anomaly }),
    ...(incident !== undefined && { incident_id: incident }),
  };
  return queryOptions({
    queryKey: ['deliveries', 'list', search, from, until],
    queryFn: ({ signal }) => unwrap(api.GET('/api/deliveries', { params: { query }, signal })),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data } }) => (data?.deliveries.some(isPending) ? WAITING_MS : false),
  });
};

/** Resends a message that was given up. */
export function useRetryDelivery() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: number) =>
      unwrap(api.POST('/api/delivery/{delivery_id}/retry', { params: { path: { delivery_id: id } } })),
    onSuccess: () => {
      notifications.show({ message: texts.retried });
      return reloadQueries(client, ['deliveries'], ['watchers']);
    },
    onError: (error) => notifications.show({ color: 'red', message: texts.retryFailed(error.message) }),
  });
}
