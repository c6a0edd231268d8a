import { type EventLevel, type EventType } from '#libs/contracts';
import { DAY } from '../../common/time.js';

/** An event as areas report it. Omitted members are null in the record. */
export interface OrgEvent {
  orgId: number;
  type: EventType;
  level: EventLevel;
  /** The complete description in one or two sentences: the `text` of the record. */
  message: string;
  /** A few words; default: the type in words, "Metric created". */
  title?: string;
  userId?: number;
  metricId?: number;
  /** Name of the metric; looked up when only its id is given. */
  metric?: string;
  anomalyId?: number;
  watcherId?: number;
  ref?: { kind: string; id: string };
  /** Figures and names for machines, JSON; keep it below a few kilobytes. */
  details?: Readonly<Record<string, unknown>>;
  /** Unix seconds; default now. */
  timestamp?: number;
}

/** Events are kept for 400 days. */
export const EVENTS_KEPT_SECONDS = 400 * DAY;
