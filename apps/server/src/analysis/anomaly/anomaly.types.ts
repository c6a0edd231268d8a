import { type WatchedAnomalies } from '../../data/metric/metric-watchers.types.js';
import { type AnomalyKind, type AnomalyState, type MetricType } from '#libs/contracts';
import { type AnomalyEvent } from '#libs/detection';
import { type Chip } from '../../data/chips/chips.js';
import { type Page } from '../../common/paging/paging.js';
import { type Window } from '../../common/window/window.js';

/** The detector's state of an anomaly at its last change. */
type DetectorVerdict = Omit<AnomalyEvent, 'type' | 'seriesId' | 'kind'>;

/** An anomaly with the data of its metric. Times in Unix seconds. */
export interface Anomaly extends DetectorVerdict {
  /** Null if it was not recorded as an anomaly (GET /anomaly/lookup). */
  id: number | null;
  /** Null if the detector found nothing unusual (GET /anomaly/lookup). */
  kind: AnomalyKind | null;
  orgId: number;
  metricId: number;
  metricName: string;
  metricType: MetricType;
  metricUnit: string | null;
  metricFirstTimestamp: number | null;
  metricPoints: number;
  state: AnomalyState;
  /** The check against patterns has no result yet. */
  unconfirmed: boolean;
  positive: boolean;
  acknowledgedBy: number | null;
  acknowledgedAt: number | null;
  acknowledgeNote: string | null;
  incidentId: number | null;
  /** The most similar earlier anomaly, if there is one. */
  lookAlikeId: number | null;
}

export const ANOMALY_ORDERS = ['newest', 'oldest', 'score', 'severity'] as const;
export type AnomalyOrder = (typeof ANOMALY_ORDERS)[number];

/** Selects anomalies; omitted members do not restrict. */
export interface AnomalyFilter {
  window?: Window;
  metricId?: number;
  chips?: readonly Chip[];
  states?: readonly AnomalyState[];
  kinds?: readonly AnomalyKind[];
  scoreMin?: number;
  severityMin?: number;
  positive?: boolean;
  trainable?: TrainableFilter;
  acknowledged?: boolean;
  incidentId?: number;
  /** Those that a watcher alerts on. */
  watched?: WatchedAnomalies;
}

/** `training.trainable` of the requested records, for a caller who may train or not. */
export interface TrainableFilter {
  wanted: boolean;
  mayTrain: boolean;
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
