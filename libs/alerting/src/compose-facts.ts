import { type AnomalyKind } from '#libs/contracts';
import { type AlertContent, type AlertPhase } from './content.js';
import { type ThresholdRule } from './watcher-rule.js';

/** Data that every message needs in addition to its subject. Times in Unix seconds. */
export interface MessageFacts {
  org: AlertContent['org'];
  /** Through which it comes; null where several watchers lead to the same place, or none. */
  watcher: AlertContent['watcher'];
  /** IANA zone of the organisation. */
  timezone: string;
  now: number;
  links: AlertContent['links'];
  event: AlertContent['event'];
}

/** An anomaly as a message knows it. */
export interface AnomalyFacts {
  anomalyId: number;
  metricId: number;
  metric: string;
  labels: Readonly<Record<string, string>>;
  unit: string | null;
  kind: AnomalyKind;
  severity: number;
  start: number;
  end: number | null;
  /** At the start, as are the edges of the expected range. */
  value: number | null;
  lower: number | null;
  upper: number | null;
  /** The detector's first reason; null if there is none. */
  reason: string | null;
}

/** An incident and those of its anomalies that one destination hears of. */
export interface IncidentFacts extends MessageFacts {
  phase: AlertPhase;
  incident: {
    id: number;
    /** As GET /incidents answers it: `12 metrics of instance=db-1 since 14:02, first: disk_latency`. */
    title: string;
    start: number;
    end: number | null;
    severity: number;
    metricsCount: number;
    /** Likeliest first. */
    origins: readonly { metric: string; reason: string; likelihood: number }[];
  };
  /** The anomalies that passed the watchers; any number, in any order. */
  anomalies: readonly AnomalyFacts[];
  /** Of all metrics that the watchers let through. */
  metricsCount: number;
  /** The content of the last message to the same destination; null for the first one. */
  previous: { metricsCount: number; severity: number } | null;
  /** The users and their notes; null unless all is acknowledged. */
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
  /** The limit of `drop_off`, which moves with the series; otherwise omitted. */
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
  /** One at least, the furthest beyond first. */
  breaches: readonly BreachFacts[];
  metricsCount: number;
  subject: AlertContent['subject'];
  /** Of `recovered`: why it is over though the metrics are not back within the threshold; omitted if they are. */
  ending?: BreachEnding | undefined;
}

/** The watcher selects the metrics no longer, they were removed, the watcher was deleted or does not alert any more. */
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
  /** Of the metrics that the watcher selects, in that time. */
  counts: {
    incidents: number;
    anomalies: number;
    metrics: number;
    /** Metrics that the watcher selects. */
    metricsWatched: number;
    stillOpen: number;
    messagesSent: number;
    messagesSuppressed: number;
  };
  /** Anomalies in the time of the same length before; null if it is not known. */
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
  /** Names, at most 1000; only some are written. */
  affectedMetrics: readonly string[];
  affectedCount: number;
}
