import { type AdminAlertDefinition, type AdminAlertId } from './admin-alert.types.js';

export const ADMIN_ALERTS: readonly AdminAlertDefinition[] = [
  {
    id: 1,
    code: 'no_data',
    name: 'All metrics stop receiving data',
    over: 'Data arrives again.',
    configurable: true,
  },
  {
    id: 2,
    code: 'stale_metrics',
    name: 'Some metrics stop receiving data',
    over: 'The metrics send again, or were silent for a day and are no longer analysed.',
    configurable: true,
  },
  {
    id: 3,
    code: 'metric_quota_exceeded',
    name: 'The quota of metrics is used up',
    over: 'No new metrics have been refused for over an hour.',
    configurable: false,
  },
  {
    id: 4,
    code: 'delivery_failed',
    name: 'Alerts cannot be delivered',
    over: 'Alerts are delivered again.',
    configurable: true,
  },
  {
    id: 5,
    code: 'invalid_metrics',
    name: 'Sent data is refused',
    over: 'No data has been refused for 15 minutes.',
    configurable: true,
  },
];

export const adminAlertOf = (id: AdminAlertId): AdminAlertDefinition => ADMIN_ALERTS[id - 1]!;
