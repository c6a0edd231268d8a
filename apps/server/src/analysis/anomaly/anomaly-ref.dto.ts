import { ApiProperty } from '@nestjs/swagger';
import { ANOMALY_KINDS, ANOMALY_STATES, type AnomalyKind, type AnomalyState } from '#libs/contracts';
import { dateTime } from '../../common/display/display.js';
import { type Anomaly } from './anomaly.types.js';

/** A short form of an anomaly. */
export class AnomalyRefDto {
  @ApiProperty({ type: 'integer', nullable: true })
  id!: number | null;

  @ApiProperty({ type: 'integer' })
  metric_id!: number;

  @ApiProperty({ type: String, example: 'web-1.eth0.tx_byte' })
  metric!: string;

  @ApiProperty({ type: 'integer', description: 'Start of the first anomalous slot' })
  timestamp!: number;

  @ApiProperty({ type: String, example: 'October 9th 2025, 10:00' })
  timestamp_string!: string;

  @ApiProperty({ type: 'integer', nullable: true, description: 'Start of the last anomalous slot; null while open' })
  until_timestamp!: number | null;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description:
      'End of the last anomalous slot, up to which its length is counted: known once values are normal again, also while it is still open; null before',
  })
  out_until_timestamp!: number | null;

  @ApiProperty({ type: Number, description: '0..1; highest of its slots' })
  score!: number;

  @ApiProperty({ type: 'integer', minimum: 0, maximum: 100 })
  severity!: number;

  @ApiProperty({
    enum: ANOMALY_KINDS,
    nullable: true,
    description: 'null only in a provisional answer, where nothing is unusual',
  })
  kind!: AnomalyKind | null;

  @ApiProperty({ enum: ANOMALY_STATES })
  state!: AnomalyState;
}

export function toAnomalyRefDto(anomaly: Anomaly, timezone: string): AnomalyRefDto {
  return {
    id: anomaly.id,
    metric_id: anomaly.metricId,
    metric: anomaly.metricName,
    timestamp: anomaly.startTimestamp,
    timestamp_string: dateTime(anomaly.startTimestamp, timezone),
    until_timestamp: anomaly.endTimestamp,
    out_until_timestamp: anomaly.outUntilTimestamp,
    score: anomaly.score,
    severity: anomaly.severity,
    kind: anomaly.kind,
    state: anomaly.state,
  };
}
