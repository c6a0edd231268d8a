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

/** The deliveries that the address selects. */
export interface DeliveriesSearch {
  state?: (typeof DELIVERY_STATES)[number];
  channel?: (typeof DELIVERY_CHANNELS)[number];
  kind?: (typeof DELIVERY_KINDS)[number];
  watcher?: number;
  anomaly?: number;
  incident?: number;
  page?: number;
}

/** Valid filters from an address or a selection; anything else is dropped. */
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
