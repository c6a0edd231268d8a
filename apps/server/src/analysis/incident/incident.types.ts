import { ApiProperty } from '@nestjs/swagger';
import { type AnomalyKind, type MetricType, SEVERITY_LABELS, severityLabel, type SeverityLabel } from '#libs/contracts';
import { dateTime } from '../../common/display/display.js';

/** Notifications of the database that anomalies have to be grouped. */
export const ANOMALY_CHANGE_CHANNEL = 'anomaly_change';

export const INCIDENT_STATES = ['open', 'resolved'] as const;
export type IncidentState = (typeof INCIDENT_STATES)[number];

/** A metric that may have been the cause, as stored and as shown. */
export class IncidentOrigin {
  @ApiProperty({ type: 'integer', description: '1 is the likeliest' })
  rank!: number;

  @ApiProperty({ type: 'integer' })
  metric_id!: number;

  @ApiProperty({ type: String })
  metric!: string;

  @ApiProperty({ type: 'integer' })
  anomaly_id!: number;

  @ApiProperty({ type: Number, description: '0..1; of all metrics of the incident together at most 1' })
  likelihood!: number;

  @ApiProperty({ type: String, example: 'started first and leads 9 of 11 others by 60 s' })
  reason!: string;
}

/** What an incident looks like as a whole. Times in Unix seconds. */
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
  /** As stored of the metric; null for none. */
  unit: string | null;
  type: MetricType;
  kind: AnomalyKind;
  /** At its first slot, as are the edges of the expected range. */
  value: number | null;
  lower: number | null;
  upper: number | null;
  /** Unix seconds. */
  start: number;
  end: number | null;
  severity: number;
  score: number;
  isOpen: boolean;
  backfill: boolean;
}

/** Those who answer records name this many anomalies, oldest first. */
export const MAX_NAMED_ANOMALIES = 1000;

export class IncidentDto {
  @ApiProperty({ type: 'integer' })
  id!: number;

  @ApiProperty({ enum: INCIDENT_STATES })
  state!: IncidentState;

  @ApiProperty({ type: String, example: '12 metrics of instance=db-1 since 14:02, first: disk_latency' })
  title!: string;

  @ApiProperty({ type: 'integer' })
  started_timestamp!: number;

  @ApiProperty({ type: String, example: 'October 9th 2025, 10:00' })
  started_string!: string;

  @ApiProperty({ type: 'integer', nullable: true, description: 'When the last anomaly ended; null while one is open' })
  ended_timestamp!: number | null;

  @ApiProperty({ type: 'integer', minimum: 0, maximum: 100, description: 'The highest of its anomalies' })
  severity!: number;

  @ApiProperty({ enum: SEVERITY_LABELS })
  severity_label!: SeverityLabel;

  @ApiProperty({ type: 'integer' })
  anomalies_count!: number;

  @ApiProperty({ type: 'integer' })
  metrics_count!: number;

  @ApiProperty({
    type: 'integer',
    isArray: true,
    description: `Oldest first, at most ${String(MAX_NAMED_ANOMALIES)}`,
  })
  anomaly_ids!: number[];

  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'string' },
    description: 'Labels that all of its metrics have',
  })
  common_labels!: Record<string, string>;

  @ApiProperty({ type: IncidentOrigin, isArray: true, description: 'Likely causes, the likeliest first; at most 10' })
  origins!: IncidentOrigin[];

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'Who acknowledged it: all of its open anomalies are acknowledged; null while one is not',
  })
  acknowledged_by!: number | null;

  @ApiProperty({ type: String, nullable: true })
  acknowledged_by_display_name!: string | null;

  @ApiProperty({ type: 'integer', nullable: true })
  acknowledged_at!: number | null;
}

/** What the anomalies of an incident say of it. */
export interface IncidentAnomalyFacts {
  ids: number[];
  acknowledgedBy: number | null;
  acknowledgedByName: string | null;
  /** Unix seconds. */
  acknowledgedAt: number | null;
}

/** The record of an incident; times in the zone of its organisation. */
export function toIncidentDto(
  row: Omit<IncidentFacts, 'lastStartTimestamp' | 'backfill'> & { id: number },
  timezone: string,
  { ids, acknowledgedBy, acknowledgedByName, acknowledgedAt }: IncidentAnomalyFacts,
): IncidentDto {
  return {
    id: row.id,
    state: row.state,
    title: row.title,
    started_timestamp: row.startTimestamp,
    started_string: dateTime(row.startTimestamp, timezone),
    ended_timestamp: row.endTimestamp,
    severity: row.severity,
    severity_label: severityLabel(row.severity),
    anomalies_count: row.anomaliesCount,
    metrics_count: row.metricsCount,
    anomaly_ids: ids,
    common_labels: row.commonLabels,
    origins: row.origins,
    acknowledged_by: acknowledgedBy,
    acknowledged_by_display_name: acknowledgedByName,
    acknowledged_at: acknowledgedAt === null ? null : Math.floor(acknowledgedAt),
  };
}
