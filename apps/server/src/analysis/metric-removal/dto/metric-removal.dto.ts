import { ApiProperty } from '@nestjs/swagger';

export class DeletedDto {
  @ApiProperty({ type: 'integer', description: 'Points of the finest resolution' })
  points!: number;

  @ApiProperty({ type: 'integer' })
  anomalies!: number;

  @ApiProperty({ type: 'integer' })
  matches!: number;

  @ApiProperty({ type: 'integer' })
  patterns!: number;
}

export class MetricDeletedDto {
  @ApiProperty({ type: String })
  metric!: string;

  @ApiProperty({ type: DeletedDto, description: 'What was erased, or would be' })
  deleted!: DeletedDto;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'Job that continues the removal; null when all is done',
  })
  progress_id!: number | null;

  @ApiProperty({ type: String, example: 'OK' })
  message!: string;
}

export class QuotaMetricsDto {
  @ApiProperty({ type: [String], description: 'By name' })
  metrics!: string[];

  @ApiProperty({ type: 'integer', description: 'Names in this answer' })
  count!: number;

  @ApiProperty({ type: 'integer', description: 'Metrics that the selection matches' })
  total!: number;

  @ApiProperty({ type: 'integer', description: 'Metrics that count against the quota' })
  quota_used!: number;

  @ApiProperty({ type: 'integer', nullable: true })
  metric_limit!: number | null;

  @ApiProperty({ type: 'integer', nullable: true, description: 'Number of metrics that can still be added' })
  remaining!: number | null;
}

export class QuotaRemovalDto {
  @ApiProperty({ type: [String], description: 'By name' })
  metrics!: string[];

  @ApiProperty({ type: 'integer' })
  count!: number;

  @ApiProperty({ type: Boolean, description: 'Nothing was changed' })
  dry_run!: boolean;

  @ApiProperty({ type: 'integer', description: 'Metrics that count against the quota afterwards' })
  quota_used!: number;

  @ApiProperty({ type: String })
  message!: string;
}
