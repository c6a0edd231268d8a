import { ApiProperty } from '@nestjs/swagger';
import { AnomalyRefDto } from './anomaly-ref.dto.js';

export class AnomalousMetricDto {
  @ApiProperty({ type: String })
  metric!: string;

  @ApiProperty({ type: 'integer' })
  metric_id!: number;

  @ApiProperty({ type: 'integer' })
  anomaly_count!: number;

  @ApiProperty({ type: 'integer' })
  open_anomaly_count!: number;

  @ApiProperty({ type: 'integer', description: 'Within the window' })
  anomalous_seconds!: number;

  @ApiProperty({ type: 'integer', minimum: 0, maximum: 100 })
  max_severity!: number;

  @ApiProperty({ type: Number, description: 'Sum of the scores' })
  total_score!: number;

  @ApiProperty({ type: 'integer' })
  last_anomaly_timestamp!: number;

  @ApiProperty({ type: String, example: '7 hours ago' })
  last_anomaly_string!: string;
}

export class RecentlyAnomalousMetricDto {
  @ApiProperty({ type: String })
  metric!: string;

  @ApiProperty({ type: 'integer' })
  metric_id!: number;

  @ApiProperty({ type: 'integer' })
  last_anomaly_timestamp!: number;

  @ApiProperty({ type: String, example: '7 hours ago' })
  last_anomaly_string!: string;

  @ApiProperty({ type: AnomalyRefDto })
  anomaly!: AnomalyRefDto;
}
