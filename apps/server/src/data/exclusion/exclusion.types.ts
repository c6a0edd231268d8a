import { type Chip } from '../chips/chips.js';

/** In the order of ISO 8601. */
export const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
export type Weekday = (typeof WEEKDAYS)[number];

export const EXCLUSION_CODES = ['analysis', 'learning', 'stale_alert', 'alerting'] as const;
export type ExclusionCode = (typeof EXCLUSION_CODES)[number];
export type ExclusionTypeId = 1 | 2 | 3 | 4;

/** The type that keeps data out altogether. */
export const ANALYSIS_TYPE_ID: ExclusionTypeId = 1;

/** The type under which anomalies are recorded and no alerts are sent. */
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

/** Weekly, from `start` (`HH:MM` in the organisation's zone) on each of the days, for this many seconds. */
export interface Recurrence {
  days: readonly Weekday[];
  start: string;
  durationSeconds: number;
}

/** Exclusions that hold alerts back, as they can go to a thread. */
export interface HeldAlerts {
  /** The organisation's. */
  timezone: string;
  exclusions: readonly Pick<Exclusion, 'chips' | 'fromTimestamp' | 'untilTimestamp' | 'recurrence'>[];
}
