import { type AnomalyKind } from '#libs/contracts';
import { type AlertContent, type AlertPhase } from './content.js';
import { type RecoveryReason } from './plan-types.js';
import { type ThresholdRule } from './watcher-rule.js';

/** Data that every message needs in addition to its subject. Times in Unix seconds. */
export interface MessageFacts {
  org: AlertContent['org'];
  /** The watcher that sends the message; null if several watchers have the same destination, or if there is none. */
  watcher: AlertContent['watcher'];
  /** IANA zone of the organisation. */
  timezone: string;
  now: number;
  links: AlertContent['links'];
  event: AlertContent['event'];
}

/** The data of an anomaly that messages contain. */
export interface AnomalyFacts {
  anomalyId: number;
  metricId: number;
  metric: string;
  labels: Readonly<Record<string, string>>;
  unit: string | null;
  kind: AnomalyKind;
  severity: number;
  start: number;
  /** End of its last anomalous slot; null while it is open. */
  end: number | null;
  /** At the start, like the limits of the expected range. */
  value: number | null;
  lower: number | null;
  upper: number | null;
  /** At its most unusual slot so far. */
  peakValue: number | null;
  /** The first reason of the detector; null if there is none. */
  reason: string | null;
  /** Null while it is open. */
  ending: AnomalyEnding | null;
}

/**
 * Why an anomaly is over: its values are normal again, its new values are expected from now on, the metric sends no more
 * data or later values cannot be compared with earlier ones, it is excluded from analysis, or a person or a pattern marked the anomaly as expected.
 */
export type AnomalyEnding = 'recovered' | 'adapted' | 'data_ended' | 'excluded' | 'expected';

/** An incident, and the anomalies in it that one destination is notified of. */
export interface IncidentFacts extends MessageFacts {
  phase: AlertPhase;
  incident: {
    id: number;
    /** As in the answer of GET /incidents: `12 metrics of instance=db-1 since 14:02, first: disk_latency`. */
    title: string;
    start: number;
    end: number | null;
    severity: number;
    metricsCount: number;
    /** Most likely first. */
    origins: readonly { metric: string; reason: string; likelihood: number }[];
  };
  /** The anomalies that passed the watchers; any number, in any order. */
  anomalies: readonly AnomalyFacts[];
  /** Number of all metrics that passed the watchers. */
  metricsCount: number;
  /** For `recovered`; default `ended`: its anomalies say how. */
  why?: RecoveryReason;
  /** The content of the last message to the same destination; null for the first one. */
  previous: { metricsCount: number; severity: number } | null;
  /** The users and their notes; null unless all anomalies are acknowledged. */
  acknowledgement: { by: string | null; note: string | null } | null;
}

/** A metric beyond its threshold. */
export interface BreachFacts {
  metricId: number;
  metric: string;
  labels: Readonly<Record<string, string>>;
  unit: string | null;
  /** The value that was compared with the limit; null if no data arrives. */
  value: number | null;
  /** The limit of `drop_off`, which follows the series; omitted for other rules. */
  limit?: number | null;
  /** First point on the wrong side. */
  start: number;
  /** First point on the right side again; null while it lasts. */
  end: number | null;
}

export interface ThresholdFacts extends MessageFacts {
  phase: AlertPhase;
  watcher: NonNullable<AlertContent['watcher']>;
  rule: ThresholdRule;
  /** At least one, the furthest beyond the threshold first. */
  breaches: readonly BreachFacts[];
  metricsCount: number;
  subject: AlertContent['subject'];
  /** For `recovered`: why it has ended although the metrics are not back within the threshold; omitted if they are. */
  ending?: BreachEnding | undefined;
}

/** The watcher no longer selects the metrics, they were removed, or the watcher was deleted or no longer alerts. */
export type BreachEnding = 'left' | 'removed' | 'deleted' | 'silent';

export interface TestFacts extends MessageFacts {
  /** The person who requested it; null if it was not a person. */
  requestedBy: string | null;
  /** One of the metrics, shown as an example; null if there is none. */
  example: AnomalyFacts | null;
  /** Distinguishes messages of different tests. */
  id: string;
}

export interface SummaryFacts extends MessageFacts {
  watcher: NonNullable<AlertContent['watcher']>;
  frequency: 'daily' | 'weekly' | 'monthly';
  from: number;
  until: number;
  /** Counts for the metrics that the watcher selects, in that time. */
  counts: {
    incidents: number;
    anomalies: number;
    metrics: number;
    /** Number of metrics that the watcher selects. */
    metricsWatched: number;
    stillOpen: number;
    messagesSent: number;
    messagesSuppressed: number;
  };
  /** Number of anomalies in the preceding period of the same length; null if unknown. */
  anomaliesBefore: number | null;
  /** Any number, in any order. */
  incidents: readonly {
    id: number;
    title: string;
    start: number;
    end: number | null;
    severity: number;
    metricsCount: number;
    url: string | null;
  }[];
}

export interface AdminFacts extends MessageFacts {
  phase: 'opened' | 'recovered';
  /** `no_data` */
  code: string;
  /** `All metrics stop receiving data` */
  name: string;
  /** The problem, in a sentence; may be empty. */
  message: string;
  since: number | null;
  /** Names, at most 1000; the message contains only some of them. */
  affectedMetrics: readonly string[];
  affectedCount: number;
}
