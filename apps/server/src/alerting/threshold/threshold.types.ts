import { type MetricType } from '#libs/contracts';
import { type ThresholdRule } from '#libs/alerting';

/** Notifications of the database that metrics crossed thresholds, or returned. */
export const THRESHOLD_CHANGE_CHANNEL = 'threshold_change';

/** A live watcher of a threshold, for evaluation. */
export interface ThresholdWatcher {
  id: number;
  orgId: number;
  name: string;
  /** As typed. */
  chips: readonly string[];
  rule: ThresholdRule;
}

/**
 * Why a breach has ended although the metric is not back within the threshold: the watcher no longer selects it, the
 * metric was removed, or the watcher was deleted.
 */
export type Departure = 'left' | 'removed' | 'deleted';

/** A breach or a recovery that is stored. Times in Unix seconds. */
export interface ThresholdChange {
  id: number;
  orgId: number;
  watcherId: number;
  metricId: number;
  type: 'breached' | 'recovered';
  timestamp: number;
  /** The compared value, with a departure: the value at the breach; seconds of silence for `no_data`. */
  value: number;
  /** The effective limit. */
  threshold: number;
  /** Of `recovered`; null: the metric is back within the threshold. */
  departure: Departure | null;
  metric: { name: string; unit: string | null; type: MetricType };
}

export interface NewThresholdChange extends Omit<ThresholdChange, 'id' | 'value' | 'metric'> {
  /** Null with a departure. */
  value: number | null;
}

/** A metric that is beyond a threshold. */
export interface ThresholdBreach {
  orgId: number;
  watcherId: number;
  metricId: number;
  threshold: number;
}

/** Retention of breaches and recoveries. */
export const CHANGES_KEPT_DAYS = 90;
