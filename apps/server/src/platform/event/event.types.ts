import { type EventLevel, type EventType } from '#libs/contracts';
import { DAY } from '../../common/time.js';

/** Names that the text of an event contains; null if there is none, or no longer. */
export interface EventNames {
  metric: string | null;
  /** The user who caused the event. */
  user: string | null;
}

/** A text with names that the area does not know: they are looked up when the event is written. */
export type EventText = (names: EventNames) => string;

/** An event as areas report it. Omitted members are null in the record. */
export interface OrgEvent {
  orgId: number;
  type: EventType;
  level: EventLevel;
  /** The complete description in one or two sentences: the `text` of the record. */
  message: string | EventText;
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
