import { type AnomalyKind } from '#libs/contracts';
import { type Destination, type Suppression } from './content.js';

/**
 * A subject of planning: an anomaly of an incident, or a metric beyond a threshold, as known at a moment. Times in Unix
 * seconds.
 */
export interface PlanMember {
  /** Unique within its subject. */
  id: number;
  metricId: number;
  kind: AnomalyKind | 'threshold';
  /** 0..100 */
  severity: number;
  /** Null if it makes no sense, as for missing data. */
  direction: 'up' | 'down' | null;
  start: number;
  /** Null while it lasts. */
  end: number | null;
  /**
   * End of the last row out of range, after rows have returned: the return, during which an anomaly is still open, does
   * not count towards its duration. Null while they are out; without it `end` is used.
   */
  outUntil?: number | null;
  /** How far its rows are known; null, or without it: by the clock. */
  knownUntil?: number | null;
  /** `withdrawn`: it turned out to be none (trained, excluded, matched a pattern). */
  state: 'open' | 'ended' | 'withdrawn';
  isAcknowledged: boolean;
  /** Recorded, and never alerted: found in back-filled history, or by a verdict on the past. */
  isQuiet: boolean;
  /** An exclusion of alerts is in force. */
  isExcluded: boolean;
  /** Earlier starts of the same metric within `flappingSeconds`. */
  earlierStarts: number;
}

export type PlanPhase = 'held' | 'suppressed' | 'told' | 'acknowledged' | 'recovered';

/** The state of a subject for one watcher. */
export interface PlanState {
  watcherId: number;
  phase: PlanPhase;
  /** Of `suppressed`: why; null while that may still change by itself. */
  reason: Suppression | null;
  /** When it was first looked at. */
  firstAt: number;
  /** When it last grew, and how many members there were. */
  grownAt: number;
  count: number;
  /** When it is to be looked at again though nothing changes; null: never. */
  recheckAt: number | null;
  /** When the first message left; null: none did, or all have failed. */
  notifiedAt: number | null;
  /** When a message or a change of one last left. */
  lastAt: number | null;
  /** The severity in the last separate message, not in a change of an earlier one. */
  notifiedSeverity: number;
  notifiedCount: number;
  /** Severity and number of members that those have seen whose messages change. */
  shownSeverity: number;
  shownCount: number;
  notifiedMetrics: readonly number[];
  /** Destinations that this watcher serves for the subject; no other one does. */
  destinations: readonly Destination[];
  /** Since when all of it has been over; null while it lasts. */
  endedAt: number | null;
}

/**
 * A message that a watcher has sent about a metric before, for another subject; messages that no recipient got do not
 * count.
 */
export interface EarlierMessage {
  at: number;
  /** No recipient has it yet, and it may still fail. */
  isPending: boolean;
  /** Its subject is over, and the notice of that has not left yet. */
  isSettling: boolean;
}

/** A message that counts against a budget. */
export interface BudgetedMessage {
  at: number;
  severity: number;
}

/** Queries of the plan of one subject about all the others. */
export interface PlanHistory {
  earlier(watcherId: number, metricId: number): EarlierMessage | null;
  /** Of the last four weeks. */
  budgeted(watcherId: number): readonly BudgetedMessage[];
  /** Whether one of the metrics is anomalous again in another subject. */
  isAnomalous(metricIds: readonly number[]): boolean;
}

/**
 * Why a message is taken back: it is over, it was none, it has become a part of another incident, or its watcher was deleted.
 */
export type RecoveryReason = 'ended' | 'expected' | 'merged' | 'deleted';

interface ActOf<Type extends string> {
  type: Type;
  watcherId: number;
  destinations: readonly Destination[];
  /** Members that it is about. */
  members: readonly PlanMember[];
}

/**
 * An action. `open`: the first message. `refresh`: earlier messages are changed if possible. `update`: a further
 * message. `acknowledge`: a person has acknowledged it. `recover`: it is over. `suppress`: no message is sent, for this
 * reason.
 */
export type PlanAct =
  | ActOf<'open' | 'refresh' | 'update' | 'acknowledge'>
  | (ActOf<'recover'> & { why: RecoveryReason })
  | (ActOf<'suppress'> & {
      phase: 'opened' | 'recovered';
      /** The most important reason, and that of each member. */
      reason: Suppression;
      reasons: readonly Suppression[];
      /** Otherwise it may still change, and is reported when it cannot. */
      isFinal: boolean;
    });

/** All in seconds, but for counts. */
export interface PlanTiming {
  /** From the first look to the first message. */
  holdSeconds: number;
  /**
   * How long it must not have grown, if it has several members; and if it has more than `stormCount`. Until it has that
   * many, the first message is sent at the latest `growingSeconds` after the first check.
   */
  growingSeconds: number;
  stormSeconds: number;
  stormCount: number;
  /** The first message of a storm leaves after this, growing or not. */
  longestHoldSeconds: number;
  /** It must have stayed over for so long. */
  recoverySeconds: number;
  /** Least time between a message and a further one, and between changes of messages. */
  updateSeconds: number;
  refreshSeconds: number;
  /** A further message is worth it when there are so many times as many, and at least so many more. */
  multiple: number;
  leastGrowth: number;
  /** A metric flaps when it has so many earlier starts in that time. */
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
