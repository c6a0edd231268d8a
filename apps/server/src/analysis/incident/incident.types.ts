import { type AnomalyKind, type MetricType } from '#libs/contracts';
import { type IncidentOrigin } from './incident-origin.dto.js';

/** Notifications of the database that anomalies must be grouped. */
export const ANOMALY_CHANGE_CHANNEL = 'anomaly_change';

export const INCIDENT_STATES = ['open', 'resolved'] as const;
export type IncidentState = (typeof INCIDENT_STATES)[number];

/** The summary of an incident. Times in Unix seconds. */
export interface IncidentFacts {
  state: IncidentState;
  title: string;
  startTimestamp: number;
  lastStartTimestamp: number;
  endTimestamp: number | null;
  severity: number;
  anomaliesCount: number;
  metricsCount: number;
  commonLabels: Record<string, string>;
  origins: IncidentOrigin[];
  backfill: boolean;
}

/** An anomaly as a part of an incident. */
export interface IncidentMember {
  anomalyId: number;
  metricId: number;
  metricName: string;
  /** Of the metric, without labels. */
  displayName: string;
  labels: Readonly<Record<string, string>>;
  /** As stored with the metric; null if there is none. */
  unit: string | null;
  type: MetricType;
  kind: AnomalyKind;
  /** At its first slot, like the bounds of the expected range. */
  value: number | null;
  lower: number | null;
  upper: number | null;
  peakValue: number | null;
  /** Unix seconds; `end` that of its last anomalous slot, null while it is open. */
  start: number;
  end: number | null;
  severity: number;
  score: number;
  isOpen: boolean;
  backfill: boolean;
}

/** Maximum number of anomalies in a record, oldest first. */
export const MAX_NAMED_ANOMALIES = 1000;

/** Properties of an incident that its anomalies define. */
export interface IncidentAnomalyFacts {
  ids: number[];
  acknowledgedBy: number | null;
  acknowledgedByName: string | null;
  /** Unix seconds. */
  acknowledgedAt: number | null;
  /** End of the last anomalous slot; null while the values of a metric are anomalous, and without anomalies. */
  outUntil: number | null;
}
