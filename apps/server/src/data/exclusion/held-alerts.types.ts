import { type Exclusion } from './exclusion.types.js';

/** Exclusions that hold alerts back, as they can go to a thread. */
export interface HeldAlerts {
  /** The organisation's. */
  timezone: string;
  exclusions: readonly Pick<Exclusion, 'chips' | 'fromTimestamp' | 'untilTimestamp' | 'recurrence'>[];
}
