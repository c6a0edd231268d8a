import { type StreamEventType } from '#libs/contracts';

/** Notification for listeners of an organisation: it reports that something changed, not the new state. */
export interface StreamEvent {
  orgId: number;
  type: StreamEventType;
  /** Id of the changed object, depending on the type: an anomaly, an incident, a job, the organisation. */
  subjectId: number;
  /** The metric that filter chips of listeners are matched with, if there is one. */
  metricId?: number;
}

/** Retention of events, so that a client that lost its connection can resume. */
export const STREAM_KEPT_SECONDS = 600;

/** Channel of the notifications; the payload is a comma-separated list of organisation ids. */
export const STREAM_CHANNEL = 'plumbline_stream';
