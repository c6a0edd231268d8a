import { ApiProperty } from '@nestjs/swagger';
import { SEVERITY_LABELS, severityLabel, type SeverityLabel } from '#libs/contracts';
import { dateTime } from '../../common/display/display.js';
import { IncidentOrigin } from './incident-origin.dto.js';
import {
  INCIDENT_STATES,
  type IncidentAnomalyFacts,
  type IncidentFacts,
  type IncidentState,
  MAX_NAMED_ANOMALIES,
} from './incident.types.js';

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

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'End of the last anomalous slot of its anomalies; null while one is open',
  })
  ended_timestamp!: number | null;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description:
      'The same time, up to which its length is counted: known once all values are normal again, also while an anomaly is still open; null before',
  })
  out_until_timestamp!: number | null;

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
    description: 'Who acknowledged it; null unless all of its open anomalies are acknowledged',
  })
  acknowledged_by!: number | null;

  @ApiProperty({ type: String, nullable: true })
  acknowledged_by_display_name!: string | null;

  @ApiProperty({ type: 'integer', nullable: true })
  acknowledged_at!: number | null;
}

/** The record of an incident; times in the zone of its organisation. */
export function toIncidentDto(
  row: Omit<IncidentFacts, 'lastStartTimestamp' | 'backfill'> & { id: number },
  timezone: string,
  { ids, acknowledgedBy, acknowledgedByName, acknowledgedAt, outUntil }: IncidentAnomalyFacts,
): IncidentDto {
  return {
    id: row.id,
    state: row.state,
    title: row.title,
    started_timestamp: row.startTimestamp,
    started_string: dateTime(row.startTimestamp, timezone),
    ended_timestamp: row.endTimestamp,
    out_until_timestamp: row.endTimestamp ?? outUntil,
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
