import { type MetricType, type RefusalReason } from '#libs/contracts';

/** What a send in test mode would have stored of one metric. */
export interface TestedMetric {
  name: string;
  labels: Record<string, string>;
  type: MetricType;
  /** Service id of the sender. */
  source: string;
  points: number;
  /** Of the newest point. */
  lastValue: number;
  /** Unix seconds. */
  lastTimestamp: number;
  /** Points that share the slot of an earlier one, so that they are combined into it. */
  mergedPoints: number;
}

export interface DroppedMetric {
  metric: string;
  reason: RefusalReason;
}

/** What one send, or all of the last minutes together, would have done. */
export interface TestResult {
  metrics: TestedMetric[];
  dropped: DroppedMetric[];
  /** Metrics that were sent without any value. */
  withoutValues: string[];
}
