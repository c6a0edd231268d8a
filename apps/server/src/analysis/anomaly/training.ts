import { type AnomalyState, missingPermissions, Permission, UNTRAINABLE_REASONS } from '#libs/contracts';
import { type KnownCaller } from '../../common/auth/caller.js';
import { DAY } from '../../common/time.js';

/** How long after its start an anomaly can be trained. */
export const TRAINABLE_SECONDS = 2_592_000;
const WEEK_SECONDS = 604_800;
/** Minimum number of points for an expected range. */
export const POINTS_TO_TRAIN = 100;

export const TRAINABLE_STATUSES = ['trainable', 'confirmed', ...UNTRAINABLE_REASONS] as const;
export type TrainableStatus = (typeof TRAINABLE_STATUSES)[number];

export interface TrainingFacts {
  /** Null for a provisional anomaly: no record exists that could be trained. */
  id: number | null;
  startTimestamp: number;
  state: AnomalyState;
  positive: boolean;
  metricFirstTimestamp: number | null;
  metricPoints: number;
  longTermSeconds: number;
  /** The caller may train. */
  isPermitted: boolean;
  /** Patterns of an earlier training wait to be built. */
  isPending?: boolean;
}

export interface Training {
  trainable: boolean;
  status: TrainableStatus;
  trainableUntil: number | null;
  longTermFrom: number | null;
  longTermIn: number | null;
  trainableFrom: number | null;
  /** Lengths of patterns for which there is enough data before now, ascending. */
  durations: number[];
}

/** Whether a caller may train at all. */
export function isTrainer(caller: KnownCaller): boolean {
  return missingPermissions(caller.permissions, Permission.Write).length === 0;
}

/** Whether an anomaly can be trained at `now`, and for which lengths. Times in Unix seconds. */
export function trainingOf(facts: TrainingFacts, now: number): Training {
  if (facts.id === null) {
    return {
      trainable: false,
      status: 'not_recorded',
      trainableUntil: null,
      longTermFrom: null,
      longTermIn: null,
      trainableFrom: null,
      durations: [],
    };
  }
  const { startTimestamp, metricFirstTimestamp: first, longTermSeconds } = facts;
  const until = startTimestamp + TRAINABLE_SECONDS;
  const from = (seconds: number) => (first === null ? null : Math.max(startTimestamp, first + seconds));
  const longTermFrom = from(longTermSeconds);
  const reachable = longTermFrom !== null && longTermFrom <= until ? longTermFrom : null;
  const status = statusOf(facts, now);
  const lengths = [...new Set([DAY, WEEK_SECONDS, longTermSeconds])];
  return {
    trainable: status === 'trainable' || status === 'confirmed',
    status,
    trainableUntil: until,
    longTermFrom: reachable,
    longTermIn: reachable === null ? null : Math.max(0, Math.ceil(reachable - now)),
    trainableFrom: from(DAY),
    durations: lengths.filter((seconds) => {
      const start = from(seconds);
      return start !== null && start <= now;
    }),
  };
}

function statusOf(facts: TrainingFacts, now: number): TrainableStatus {
  const { startTimestamp, state, positive, metricFirstTimestamp, metricPoints, isPermitted, isPending } = facts;
  if (isPending) return 'pending';
  if (state === 'trained') return 'trained';
  if (state === 'excluded') return 'excluded';
  if (now > startTimestamp + TRAINABLE_SECONDS) return 'expired';
  if (metricFirstTimestamp === null || metricPoints < POINTS_TO_TRAIN) return 'not_enough_data';
  if (now < metricFirstTimestamp + DAY) return 'too_new';
  if (!isPermitted) return 'not_permitted';
  return positive ? 'confirmed' : 'trainable';
}
