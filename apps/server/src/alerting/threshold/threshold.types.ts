import { type ThresholdRule } from '#libs/alerting';

/** A live watcher of a threshold, as evaluation needs it. */
export interface ThresholdWatcher {
  id: number;
  orgId: number;
  name: string;
  /** As typed. */
  chips: readonly string[];
  rule: ThresholdRule;
}

/** A breach or a recovery that is stored. Times in Unix seconds. */
export interface ThresholdChange {
  id: number;
  orgId: number;
  watcherId: number;
  metricId: number;
  type: 'breached' | 'recovered';
  timestamp: number;
  /** What was compared; seconds of silence for `no_data`. */
  value: number;
  /** The limit in force. */
  threshold: number;
}

export type NewThresholdChange = Omit<ThresholdChange, 'id'>;

/** A metric that is beyond a threshold. */
export interface ThresholdBreach {
  watcherId: number;
  metricId: number;
  threshold: number;
}

/** Breaches and recoveries are kept for so long. */
export const CHANGES_KEPT_DAYS = 90;
