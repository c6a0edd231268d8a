import { type AnomalyKind } from '#libs/contracts';
import { type Destination } from './content.js';

export const THRESHOLD_ALGORITHMS = ['above', 'below', 'outside', 'drop_off', 'no_data'] as const;
export type ThresholdAlgorithm = (typeof THRESHOLD_ALGORITHMS)[number];

export const THRESHOLD_FUNCTIONS = ['none', 'mean', 'median', 'min', 'max', 'sum', 'rate'] as const;
export type ThresholdFunction = (typeof THRESHOLD_FUNCTIONS)[number];

/** Defines when a series is beyond a threshold. */
export interface ThresholdRule {
  algorithm: ThresholdAlgorithm;
  /** Limit; the lower one of `outside`; seconds of silence for `no_data`; null for `drop_off`. */
  value: number | null;
  valueUpper: number | null;
  /** Number of points on the wrong side for a breach, and on the right side for a recovery. 1..60 */
  timesInARow: number;
  function: ThresholdFunction;
  /** Length of the moving window; null with `none`. */
  functionSeconds: number | null;
  minimumAvg: number | null;
  minimumAvgSeconds: number | null;
  /** 50..100 */
  dropPercent: number | null;
}

/** The anomalies that a watcher alerts on. */
export interface AnomalyRule {
  minSeverity: number;
  minDurationSeconds: number;
  direction: 'both' | 'up' | 'down';
  /** Empty: all. */
  kinds: readonly AnomalyKind[];
}

/** The properties of a watcher that affect its messages. */
export interface WatcherRule {
  id: number;
  orgId: number;
  name: string;
  chips: readonly string[];
  /** Null: a watcher of thresholds. */
  anomalies: AnomalyRule | null;
  threshold: ThresholdRule | null;
  /** At most one message per metric in this time. */
  expirationSeconds: number;
  /** Target number of messages a week; null: no budget. */
  budgetPerWeek: number | null;
  /** Current minimum severity according to the budget; 0 without a budget. */
  severityInEffect: number;
  /** Channels and recipients, including the defaults of the organisation. */
  destinations: readonly Destination[];
}
