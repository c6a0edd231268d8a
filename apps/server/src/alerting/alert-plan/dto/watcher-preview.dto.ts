import { ApiProperty } from '@nestjs/swagger';
import { SUPPRESSIONS, type Suppression } from '#libs/alerting';
import { ANOMALY_KINDS, type AnomalyKind } from '#libs/contracts';
import { WindowDto } from '../../../common/window/window.js';

export class PreviewedDayDto {
  @ApiProperty({ type: String, example: '2025-10-09', description: 'In the time zone of the organisation' })
  date!: string;

  @ApiProperty({ type: 'integer' })
  alerts!: number;

  @ApiProperty({ type: 'integer' })
  suppressed!: number;
}

export class PreviewedAlertDto {
  @ApiProperty({ type: 'integer', description: 'When the message would have been sent or suppressed' })
  timestamp!: number;

  @ApiProperty({ type: String, example: 'October 9th 2025, 10:00' })
  timestamp_string!: string;

  @ApiProperty({ type: String, description: 'The worst one of the message' })
  metric!: string;

  @ApiProperty({ type: 'integer' })
  metric_id!: number;

  @ApiProperty({ type: 'integer', nullable: true, description: 'null for thresholds' })
  anomaly_id!: number | null;

  @ApiProperty({ enum: [...ANOMALY_KINDS, 'threshold'] })
  kind!: AnomalyKind | 'threshold';

  @ApiProperty({ type: 'integer', minimum: 0, maximum: 100 })
  severity!: number;

  @ApiProperty({ type: Number, nullable: true })
  value!: number | null;

  @ApiProperty({ type: Boolean })
  would_alert!: boolean;

  @ApiProperty({ enum: SUPPRESSIONS, nullable: true })
  suppressed_by!: Suppression | null;
}

export class PreviewedBudgetDto {
  @ApiProperty({ type: Number, description: 'Messages a week' })
  wanted!: number;

  @ApiProperty({
    type: Number,
    nullable: true,
    description: 'Messages a week in the last four weeks; null for a watcher that is not stored',
  })
  achieved_4_weeks!: number | null;

  @ApiProperty({
    type: 'integer',
    minimum: 0,
    maximum: 100,
    description: 'Lowest severity that alerts under the budget',
  })
  severity_in_effect!: number;
}

export class WatcherPreviewDto extends WindowDto {
  @ApiProperty({ type: 'integer', description: 'Metrics that the chips select' })
  metrics_count!: number;

  @ApiProperty({ type: 'integer', description: 'Anomalies, or breaches, that began in the window' })
  anomalies_count!: number;

  @ApiProperty({ type: 'integer', description: 'Messages; an incident counts as one, however large it becomes' })
  alerts_count!: number;

  @ApiProperty({ type: 'integer', description: 'Anomalies about which no message would have been sent' })
  suppressed_count!: number;

  @ApiProperty({ type: Boolean, description: 'Whether there was more than could be replayed or listed' })
  truncated!: boolean;

  @ApiProperty({ type: [PreviewedDayDto] })
  per_day!: PreviewedDayDto[];

  @ApiProperty({ type: [PreviewedAlertDto], description: 'The latest 500' })
  alerts!: PreviewedAlertDto[];

  @ApiProperty({ type: PreviewedBudgetDto, nullable: true })
  budget!: PreviewedBudgetDto | null;
}
