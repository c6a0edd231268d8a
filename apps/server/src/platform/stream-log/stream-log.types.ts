import { type StreamEventType } from '#libs/contracts';

/** What listeners of an organisation are notified of: that something changed, not how it looks now. */
export interface StreamEvent {
  orgId: number;
  type: StreamEventType;
  /** Id of what changed, as the type says: of an anomaly, an incident, a job, the organisation. */
  subjectId: number;
  /** The metric that chips of listeners are asked about, where there is one. */
  metricId?: number;
}

/** Events are kept for so long, so that who lost its connection can go on where it was. */
export const STREAM_KEPT_SECONDS = 600;

/** Channel of the notifications; the payload is a list of ids of organisations with commas. */
export const STREAM_CHANNEL = 'plumbline_stream';
