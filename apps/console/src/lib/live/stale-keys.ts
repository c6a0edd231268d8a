import { type StreamEventType } from '#libs/contracts';

/** First members of the query keys that an event makes stale. Keys are named like the paths of the API. */
export const STALE_BY: Record<StreamEventType, readonly string[]> = {
  'anomaly.opened': ['anomalies', 'anomaly', 'metrics', 'metric', 'org'],
  'anomaly.updated': ['anomalies', 'anomaly', 'metric'],
  'anomaly.closed': ['anomalies', 'anomaly', 'metrics', 'metric', 'org'],
  'incident.opened': ['incidents', 'incident', 'org'],
  'incident.updated': ['incidents', 'incident'],
  'incident.closed': ['incidents', 'incident', 'org'],
  'match.created': ['matches', 'match', 'pattern', 'metrics', 'metric'],
  'pattern.created': ['patterns', 'pattern', 'metric'],
  'pattern.updated': ['patterns', 'pattern', 'metric'],
  'alert.sent': ['alerts', 'watchers', 'deliveries'],
  'alert.failed': ['alerts', 'watchers', 'deliveries'],
  'threshold.breached': ['watchers', 'org'],
  'threshold.recovered': ['watchers', 'org'],
  progress: ['progress'],
  'org.updated': ['org', 'user'],
};
