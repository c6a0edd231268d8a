import { type Chip } from '../chips/chips.js';

/** In the order of ISO 8601. */
export const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
export type Weekday = (typeof WEEKDAYS)[number];

export const EXCLUSION_CODES = ['analysis', 'learning', 'stale_alert', 'alerting'] as const;
export type ExclusionCode = (typeof EXCLUSION_CODES)[number];
export type ExclusionTypeId = 1 | 2 | 3 | 4;

/** The type that refuses data entirely. */
export const ANALYSIS_TYPE_ID: ExclusionTypeId = 1;

/** The type under which no patterns are learnt automatically. */
export const LEARNING_TYPE_ID: ExclusionTypeId = 2;

/** The type under which anomalies are recorded but no alerts are sent. */
export const ALERTING_TYPE_ID: ExclusionTypeId = 4;

/** Times in Unix seconds. */
export interface Exclusion {
  id: number;
  orgId: number;
  typeId: ExclusionTypeId;
  chips: readonly Chip[];
  reason: string;
  fromTimestamp: number | null;
  untilTimestamp: number | null;
  recurrence: Recurrence | null;
  createdTimestamp: number;
  createdBy: number | null;
}

/** An exclusion that is not stored yet. */
export type WantedExclusion = Omit<Exclusion, 'id' | 'createdTimestamp'>;

/** Weekly, on each of the days from `start` (`HH:MM` in the time zone of the organisation) for this many seconds. */
export interface Recurrence {
  days: readonly Weekday[];
  start: string;
  durationSeconds: number;
}

/** Exclusions that suppress alerts, in a form that can be sent to a thread. */
export interface HeldAlerts {
  /** Time zone of the organisation. */
  timezone: string;
  exclusions: readonly Pick<Exclusion, 'chips' | 'fromTimestamp' | 'untilTimestamp' | 'recurrence'>[];
}
