import { type AnomalyKind, type AnomalyState, type CloseReason, type Explanation } from '#libs/contracts';
import { type Chip } from '../common/chips/chips.js';
import { type Page } from '../common/paging/paging.js';
import { type Window } from '../common/window/window.js';

/** An anomaly and what its record tells of its metric. Times in Unix seconds. */
export interface Anomaly {
  /** Null for what was not recorded as an anomaly (GET /anomaly/lookup). */
  id: number | null;
  orgId: number;
  metricId: number;
  metricName: string;
  metricFirstTimestamp: number | null;
  metricPoints: number;
  startTimestamp: number;
  /** Null while open. */
  endTimestamp: number | null;
  value: number | null;
  expected: number | null;
  lower: number | null;
  upper: number | null;
  score: number;
  severity: number;
  kind: AnomalyKind;
  explanation: Explanation[];
  state: AnomalyState;
  closeReason: CloseReason | null;
  backfill: boolean;
  positive: boolean;
  acknowledgedBy: number | null;
  acknowledgedAt: number | null;
  acknowledgeNote: string | null;
}

export const ANOMALY_ORDERS = ['newest', 'oldest', 'score', 'severity'] as const;
export type AnomalyOrder = (typeof ANOMALY_ORDERS)[number];

/** Which anomalies are meant; what is left out does not narrow. */
export interface AnomalyFilter {
  window?: Window;
  metricId?: number;
  chips?: readonly Chip[];
  states?: readonly AnomalyState[];
  kinds?: readonly AnomalyKind[];
  scoreMin?: number;
  severityMin?: number;
  positive?: boolean;
  trainable?: boolean;
  acknowledged?: boolean;
}

export interface AnomalyListing extends Page {
  order: AnomalyOrder;
}

/** Counts over the anomalies of a metric. */
export interface AnomalyCounts {
  total: number;
  open: number;
  last24Hours: number;
  last7Days: number;
  last30Days: number;
  trained: number;
  positive: number;
  acknowledged: number;
  firstTimestamp: number | null;
  lastTimestamp: number | null;
  longestSeconds: number | null;
}
