import { type AnomalyKind } from '#libs/contracts';
import { type Destination, type Suppression } from './content.js';

/**
 * A member of a subject: an anomaly of an incident, or a metric beyond a threshold, as known at a moment. Times in Unix
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
  /** Time up to which its rows are known; if null or omitted, the clock applies. */
  knownUntil?: number | null;
  /** `withdrawn`: it turned out not to be an anomaly (trained, excluded, matched a pattern). */
  state: 'open' | 'ended' | 'withdrawn';
  isAcknowledged: boolean;
  /** Recorded, but never alerted: found in backfilled history, or by a verdict on the past. */
  isQuiet: boolean;
  /** An exclusion of alerts applies to it. */
  isExcluded: boolean;
  /** Earlier starts of the same metric within `flappingSeconds`. */
  earlierStarts: number;
}

export type PlanPhase = 'held' | 'suppressed' | 'told' | 'acknowledged' | 'recovered';

/** The state of a subject for one watcher. */
export interface PlanState {
  watcherId: number;
  phase: PlanPhase;
  /** For `suppressed`: the reason; null while that may still change without an event. */
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
  /** Time since which all of it has ended; null while it continues. */
  endedAt: number | null;
}

/**
 * A message that a watcher has sent about a metric before, for another subject; messages that reached no recipient do
 * not count.
 */
export interface EarlierMessage {
  at: number;
  /** No recipient has it yet, and it may still fail. */
  isPending: boolean;
  /** Its subject has ended, but the notice of this has not been sent yet. */
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
  /** Of the last four weeks. */
  budgeted(watcherId: number): readonly BudgetedMessage[];
  /** Whether one of the metrics is anomalous again in another subject. */
  isAnomalous(metricIds: readonly number[]): boolean;
}

/**
 * Why a message is resolved: the subject has ended, it was not an anomaly, it has become part of another incident, or
 * its watcher was deleted.
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
      /** If false, it may still change, and is reported when it no longer can. */
      isFinal: boolean;
    });

/** All in seconds, except counts. */
export interface PlanTiming {
  /** From the first look to the first message. */
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
  /** Time for which it must have ended. */
  recoverySeconds: number;
  /** Least time between a message and a further one, and between changes of messages. */
  updateSeconds: number;
  refreshSeconds: number;
  /** A further message is sent if the number has grown by this factor, and by at least this many. */
  multiple: number;
  leastGrowth: number;
  /** A metric flaps if it has this many earlier starts in that time. */
  flappingStarts: number;
  flappingSeconds: number;
  /** An anomaly that ended this long before it was first seen is history. */
  staleSeconds: number;
  /** How often conditions without events are checked again. */
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
