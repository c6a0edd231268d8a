import { type StreamEventType } from '#libs/contracts';

/** First members of the query keys that an event makes stale. Keys are named like the paths of the API. */
export const STALE_BY: Record<StreamEventType, readonly string[]> = {
  'anomaly.opened': ['anomalies', 'anomaly', 'metrics', 'metric', 'org', 'events'],
  // The acknowledgement of an anomaly may also be one of its incident, which no event of the incident reports.
  'anomaly.updated': ['anomalies', 'anomaly', 'metric', 'incidents', 'incident'],
  'anomaly.closed': ['anomalies', 'anomaly', 'metrics', 'metric', 'org', 'events'],
  'incident.opened': ['incidents', 'incident', 'org', 'events'],
  'incident.updated': ['incidents', 'incident'],
  'incident.closed': ['incidents', 'incident', 'org', 'events'],
  'match.created': ['matches', 'match', 'pattern', 'metrics', 'metric', 'events'],
  'pattern.created': ['patterns', 'pattern', 'metric', 'events'],
  'pattern.updated': ['patterns', 'pattern', 'metric', 'events'],
  'alert.sent': ['alerts', 'watchers', 'deliveries', 'events'],
  'alert.failed': ['alerts', 'watchers', 'deliveries', 'events'],
  'threshold.breached': ['watchers', 'org', 'events'],
  'threshold.recovered': ['watchers', 'org', 'events'],
  progress: ['progress'],
  'org.updated': ['org', 'user', 'events'],
};
