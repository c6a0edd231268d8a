/** Allowed values of enumerated record members, shared by server, console and detector. */
export const ANOMALY_KINDS = [
  'spike',
  'dip',
  'level_shift_up',
  'level_shift_down',
  'variance_change',
  'seasonal_break',
  'flatline',
  'missing_data',
  'new_value_range',
] as const;
export type AnomalyKind = (typeof ANOMALY_KINDS)[number];

export const ANOMALY_STATES = ['open', 'resolved', 'trained', 'excluded'] as const;
export type AnomalyState = (typeof ANOMALY_STATES)[number];

export const CLOSE_REASONS = ['recovered', 'adapted', 'trained', 'excluded', 'data_ended'] as const;
export type CloseReason = (typeof CLOSE_REASONS)[number];

export const SEVERITY_LABELS = ['critical', 'major', 'minor', 'info'] as const;
export type SeverityLabel = (typeof SEVERITY_LABELS)[number];

/** Label of a severity 0..100: 75 and more critical, 50 major, 25 minor, below info. */
export function severityLabel(severity: number): SeverityLabel {
  if (severity >= 75) return 'critical';
  if (severity >= 50) return 'major';
  return severity >= 25 ? 'minor' : 'info';
}

const DAYS_OF_MONTH = 30;

/** Rarity of an anomaly in months, as the API gives it: two significant digits, more are not known. Null: not known. */
export function rarityMonths(days: number | null): number | null {
  return days === null ? null : Number((days / DAYS_OF_MONTH).toPrecision(2));
}

export const METRIC_TYPES = ['gauge', 'counter', 'rate'] as const;
export type MetricType = (typeof METRIC_TYPES)[number];

export const AGGREGATIONS = ['last', 'avg', 'sum', 'min', 'max'] as const;
export type Aggregation = (typeof AGGREGATIONS)[number];

export const METRIC_STATES = ['active', 'stale', 'inactive', 'removed'] as const;
export type MetricState = (typeof METRIC_STATES)[number];

export const ANALYSIS_STATES = ['collecting', 'learning', 'live', 'excluded', 'paused'] as const;
export type AnalysisState = (typeof ANALYSIS_STATES)[number];

/** Whether the detector judges the values of a metric. `learning`: not yet, or not for everything that it can see. */
export const JUDGEMENT_STATES = ['judged', 'learning', 'not_judged'] as const;
export type JudgementState = (typeof JUDGEMENT_STATES)[number];

/** Why a metric is not judged, if it is unknown when it will be. */
export const NOT_JUDGED_REASONS = ['too_few_values', 'irregular_rows', 'excluded', 'paused'] as const;
export type NotJudgedReason = (typeof NOT_JUDGED_REASONS)[number];

/** A piece of a reason: words, a value or a range of the analysed values, or a moment in Unix seconds. */
export type TextPart = string | { value: number } | { lower: number; upper: number } | { at: number };

/** One reason why a value was found unusual, for people. `score` 0..1. */
export interface Explanation {
  test: string;
  score: number;
  observed: number | null;
  expected: number | null;
  /** The slot that `observed` belongs to, Unix seconds. */
  timestamp: number;
  /** A sentence. As the detector gives it without a unit, and with times in UTC: it knows neither unit nor reader. */
  text: string;
  /** For the detector's reasons: the parts of `text`, to be formatted for a reader (`reasonText`). It is not stored. */
  parts?: readonly TextPart[];
}

/** Events of an organisation, as GET /org/events lists them. */
export const EVENT_TYPES = [
  'metric_created',
  'metric_stale',
  'metric_inactive',
  'metric_returned',
  'metric_removed',
  'metric_deleted',
  'metric_type_changed',
  'quota_exceeded',
  'ingest_refused',
  'data_stopped',
  'data_resumed',
  'anomaly_opened',
  'anomaly_closed',
  'anomaly_acknowledged',
  'anomaly_trained',
  'anomaly_confirmed',
  'incident_opened',
  'incident_closed',
  'match_created',
  'match_validated',
  'pattern_created',
  'pattern_changed',
  'pattern_disabled',
  'watcher_created',
  'watcher_updated',
  'watcher_deleted',
  'watcher_restored',
  'threshold_breached',
  'threshold_recovered',
  'alert_sent',
  'alert_failed',
  'alert_suppressed',
  'summary_sent',
  'alerts_muted',
  'alerts_unmuted',
  'exclusion_added',
  'exclusion_changed',
  'exclusion_removed',
  'tuning_added',
  'tuning_changed',
  'tuning_removed',
  'source_added',
  'source_changed',
  'source_removed',
  'source_failing',
  'source_recovered',
  'admin_alert_raised',
  'admin_alert_recovered',
  'user_invited',
  'user_joined',
  'user_changed',
  'user_removed',
  'token_created',
  'token_changed',
  'token_removed',
  'integration_changed',
  'onboarding_changed',
  'billing_changed',
  'issue_reported',
  'custom',
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

export const EVENT_LEVELS = ['info', 'notice', 'warning', 'alert'] as const;
export type EventLevel = (typeof EVENT_LEVELS)[number];

/** Events of GET /stream. There are also `resync` and `end`, which concern the stream itself. */
export const STREAM_EVENT_TYPES = [
  'anomaly.opened',
  'anomaly.updated',
  'anomaly.closed',
  'incident.opened',
  'incident.updated',
  'incident.closed',
  'match.created',
  'pattern.created',
  'pattern.updated',
  'alert.sent',
  'alert.failed',
  'threshold.breached',
  'threshold.recovered',
  'progress',
  'org.updated',
] as const;
export type StreamEventType = (typeof STREAM_EVENT_TYPES)[number];
