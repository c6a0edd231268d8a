/** Senders whose lines are shown, by the ids of GET /integration/list. */
export const SENDERS = ['http', 'prometheus', 'opentelemetry', 'influx', 'graphite', 'csv'] as const;
export type Sender = (typeof SENDERS)[number];
