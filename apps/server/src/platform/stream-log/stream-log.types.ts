import { type StreamEventType } from '#libs/contracts';

/** Notification for listeners of an organisation: that something changed, not its new state. */
export interface StreamEvent {
  orgId: number;
  type: StreamEventType;
  /** Id of the changed object, by the type: of an anomaly, an incident, a job, the organisation. */
  subjectId: number;
  /** The metric that chips of listeners are matched with, if there is one. */
  metricId?: number;
}

/** Events are kept for this time, so that a client that lost its connection can resume. */
export const STREAM_KEPT_SECONDS = 600;

/** Channel of the notifications; the payload is a list of ids of organisations with commas. */
export const STREAM_CHANNEL = 'plumbline_stream';
