import { idParam, pageParam, withoutGaps, choiceParam } from '../../lib/search-params';

export const DELIVERY_STATES = ['sent', 'failed', 'retrying', 'queued', 'suppressed'] as const;
const DELIVERY_CHANNELS = [
  'email',
  'chat',
  'teams_chat',
  'sms',
  'pagerduty',
  'alertmanager',
  'webhook',
  'demo',
] as const;
export const DELIVERY_KINDS = ['anomaly', 'threshold', 'test', 'admin', 'summary'] as const;

/** What the address chooses of the deliveries. */
export interface DeliveriesSearch {
  state?: (typeof DELIVERY_STATES)[number];
  channel?: (typeof DELIVERY_CHANNELS)[number];
  kind?: (typeof DELIVERY_KINDS)[number];
  watcher?: number;
  anomaly?: number;
  incident?: number;
  page?: number;
}

/** What stands in an address or was chosen, as filters that are whole; anything else is left out. */
export const validateDeliveriesSearch = (search: Record<string, unknown>): DeliveriesSearch =>
  withoutGaps({
    state: choiceParam(DELIVERY_STATES, search.state),
    channel: choiceParam(DELIVERY_CHANNELS, search.channel),
    kind: choiceParam(DELIVERY_KINDS, search.kind),
    watcher: idParam(search.watcher),
    anomaly: idParam(search.anomaly),
    incident: idParam(search.incident),
    page: pageParam(search.page),
  });
