import { ApiProperty, getSchemaPath } from '@nestjs/swagger';
import { METRIC_TYPES, type MetricType, REFUSAL_REASONS, type RefusalReason } from '#libs/contracts';

export class DroppedMetricDto {
  @ApiProperty({ type: String })
  metric!: string;

  @ApiProperty({ enum: REFUSAL_REASONS })
  reason!: RefusalReason;
}

export class TestedMetricDto {
  @ApiProperty({ type: 'object', additionalProperties: { type: 'string' } })
  labels!: Record<string, string>;

  @ApiProperty({ enum: METRIC_TYPES })
  type!: MetricType;

  @ApiProperty({ type: String, example: 'http', description: 'Service id of the sender' })
  source!: string;

  @ApiProperty({ type: 'integer' })
  points!: number;

  @ApiProperty({ type: Number })
  last_value!: number;

  @ApiProperty({ type: 'integer', description: 'Unix seconds' })
  last_timestamp!: number;

  @ApiProperty({ type: 'integer', description: 'Points combined with another one of the same slot of the same body' })
  merged_points!: number;
}

export class QuotaPreviewDto {
  @ApiProperty({ type: 'integer', description: 'Metrics that do not count against the quota yet' })
  new_metrics_count!: number;

  @ApiProperty({ type: 'integer', description: 'Metrics that count at this moment, without the new ones' })
  quota_used!: number;

  @ApiProperty({ type: 'integer', nullable: true, description: 'null = no cap' })
  metric_limit!: number | null;

  @ApiProperty({ type: Boolean, description: 'Whether the limit allows all of them' })
  fits!: boolean;
}

/** The effect that the sends in test mode of the last ten minutes would have had. */
export class TestMetricsDto {
  @ApiProperty({ type: [String], description: 'Metrics with points that would be stored' })
  metrics!: string[];

  @ApiProperty({ type: 'integer', description: 'Number of `metrics`' })
  ingest_count!: number;

  @ApiProperty({ type: [DroppedMetricDto], description: 'Metrics with points that would be refused, by reason' })
  dropped!: DroppedMetricDto[];

  @ApiProperty({ type: 'integer', description: 'Number of `dropped`' })
  drop_count!: number;

  @ApiProperty({ type: [String], description: 'Metrics without any numeric value' })
  metrics_with_no_values!: string[];

  @ApiProperty({ type: 'integer' })
  no_values_count!: number;

  @ApiProperty({
    type: 'object',
    additionalProperties: { $ref: getSchemaPath(TestedMetricDto) },
    description: 'By metric name',
  })
  metric_details!: Record<string, TestedMetricDto>;

  @ApiProperty({ type: QuotaPreviewDto })
  quota_preview!: QuotaPreviewDto;
}
