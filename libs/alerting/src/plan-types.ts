import { type AnomalyKind } from '#libs/contracts';
import { type Destination, type Suppression } from './content.js';

/**
 * A member of a subject: an anomaly of an incident, or a metric beyond a threshold, as known at one time. Times in Unix
 * seconds.
 */
export interface PlanMember {
  /** Unique within its subject. */
  id: number;
  metricId: number;
  kind: AnomalyKind | 'threshold';
  /** 0..100 */
  severity: number;
  /** Null if it does not apply, as for missing data. */
  direction: 'up' | 'down' | null;
  start: number;
  /** Null while it continues. */
  end: number | null;
  /**
   * End of the last row outside the range, after rows have returned: the return, during which an anomaly is still open,
   * does not count towards its duration. Null while rows are outside; without it, `end` is used.
   */
  outUntil?: number | null;
  /** Time up to which its rows are known; if null or omitted, the current time. */
  knownUntil?: number | null;
  /** `withdrawn`: it turned out not to be an anomaly (trained, excluded, matched a pattern). */
  state: 'open' | 'ended' | 'withdrawn';
  isAcknowledged: boolean;
  /** True if it is recorded but never alerted: found in backfilled history, or by a later verdict. */
  isQuiet: boolean;
  /** True if an exclusion of alerts applies to it. */
  isExcluded: boolean;
  /** Earlier starts of the same metric within `flappingSeconds`. */
  earlierStarts: number;
}

export type PlanPhase = 'held' | 'suppressed' | 'told' | 'acknowledged' | 'recovered';

/** The state of a subject for one watcher. */
export interface PlanState {
  watcherId: number;
  phase: PlanPhase;
  /** For `suppressed`: the reason; null while it may still change without an event. */
  reason: Suppression | null;
  /** Time of the first check. */
  firstAt: number;
  /** Time of the last growth, and number of members at that time. */
  grownAt: number;
  count: number;
  /** Time of the next check if nothing changes; null: never. */
  recheckAt: number | null;
  /** Time at which the first message was sent; null: none was sent, or all have failed. */
  notifiedAt: number | null;
  /** Time at which a message or a change of one was last sent. */
  lastAt: number | null;
  /** Severity in the last separate message, not in a change of an earlier one. */
  notifiedSeverity: number;
  notifiedCount: number;
  /** Severity and number of members shown in the messages that can be changed. */
  shownSeverity: number;
  shownCount: number;
  notifiedMetrics: readonly number[];
  /** Destinations of this subject that this watcher serves; no other watcher serves them. */
  destinations: readonly Destination[];
  /** Time since which all its members have ended; null while one continues. */
  endedAt: number | null;
}

/**
 * A message that a watcher has sent about a metric before, for another subject; messages that reached no recipient do
 * not count.
 */
export interface EarlierMessage {
  at: number;
  /** True if no recipient has it yet, and it may still fail. */
  isPending: boolean;
  /** True if its subject has ended, but the notice of this has not been sent yet. */
  isSettling: boolean;
}

/** A message that counts against a budget. */
export interface BudgetedMessage {
  at: number;
  severity: number;
}

/** Queries of the plan of one subject about all other subjects. */
export interface PlanHistory {
  earlier(watcherId: number, metricId: number): EarlierMessage | null;
  /** Messages of the last four weeks. */
  budgeted(watcherId: number): readonly BudgetedMessage[];
  /** True if one of the metrics is anomalous again in another subject. */
  isAnomalous(metricIds: readonly number[]): boolean;
}

/**
 * The reason why a message is resolved: the subject has ended, it was not an anomaly, it has become part of another
 * incident, or its watcher was deleted.
 */
export type RecoveryReason = 'ended' | 'expected' | 'merged' | 'deleted';

interface ActOf<Type extends string> {
  type: Type;
  watcherId: number;
  destinations: readonly Destination[];
  /** The members of the message. */
  members: readonly PlanMember[];
}

/**
 * An action. `open`: the first message. `refresh`: earlier messages are changed if possible. `update`: a further
 * message. `acknowledge`: a person has acknowledged it. `recover`: it has ended. `suppress`: no message is sent, for
 * this reason.
 */
export type PlanAct =
  | ActOf<'open' | 'refresh' | 'update' | 'acknowledge'>
  | (ActOf<'recover'> & { why: RecoveryReason })
  | (ActOf<'suppress'> & {
      phase: 'opened' | 'recovered';
      /** The most important reason, and that of each member. */
      reason: Suppression;
      reasons: readonly Suppression[];
      /** True if it can no longer change; if false, it is reported later, when it no longer can. */
      isFinal: boolean;
    });

/** All in seconds, except counts. */
export interface PlanTiming {
  /** Delay from the first check to the first message. */
  holdSeconds: number;
  /**
   * Time without growth before a message, for a subject with several members, and for one with more than `stormCount`.
   * Below that number, the first message is sent at most `growingSeconds` after the first check.
   */
  growingSeconds: number;
  stormSeconds: number;
  stormCount: number;
  /** Maximum delay of the first message of a storm, even if it still grows. */
  longestHoldSeconds: number;
  /** Time that must have passed since its end. */
  recoverySeconds: number;
  /** Minimum time between a message and a further one, and between changes of messages. */
  updateSeconds: number;
  refreshSeconds: number;
  /** A further message is sent if the number of members has grown by this factor, and by at least this many. */
  multiple: number;
  leastGrowth: number;
  /** A metric flaps if it has this many earlier starts in that time. */
  flappingStarts: number;
  flappingSeconds: number;
  /** An anomaly that ended this long before it was first seen is history. */
  staleSeconds: number;
  /** Interval between checks of conditions that have no events. */
  recheckSeconds: number;
}

export const PLAN_TIMING: PlanTiming = {
  holdSeconds: 0.75,
  growingSeconds: 3,
  stormSeconds: 5,
  stormCount: 20,
  longestHoldSeconds: 60,
  recoverySeconds: 120,
  updateSeconds: 60,
  refreshSeconds: 15,
  multiple: 4,
  leastGrowth: 10,
  flappingStarts: 4,
  flappingSeconds: 3600,
  staleSeconds: 3600,
  recheckSeconds: 60,
};
