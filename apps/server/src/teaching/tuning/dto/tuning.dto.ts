import { ApiProperty } from '@nestjs/swagger';
import { ANOMALY_KINDS, type AnomalyKind } from '#libs/contracts';
import { PageDto } from '../../../common/paging/paging.js';
import { WindowDto } from '../../../common/window/window.js';
import { TUNING_DIRECTIONS, type TuningDirection } from '../tuning.types.js';

export class TuningDto {
  @ApiProperty({ type: 'integer' })
  id!: number;

  @ApiProperty({ type: [String] })
  chips!: string[];

  @ApiProperty({ type: String })
  name!: string;

  @ApiProperty({ type: Number })
  sensitivity!: number;

  @ApiProperty({ enum: TUNING_DIRECTIONS })
  direction!: TuningDirection;

  @ApiProperty({ enum: ANOMALY_KINDS, isArray: true })
  kinds!: AnomalyKind[];

  @ApiProperty({ type: 'integer' })
  min_duration_seconds!: number;

  @ApiProperty({ type: 'integer', nullable: true })
  period_seconds!: number | null;

  @ApiProperty({ type: Number, nullable: true })
  minimum_size!: number | null;

  @ApiProperty({ type: Number, nullable: true })
  false_alarms_per_month!: number | null;

  @ApiProperty({ type: 'integer', description: 'Metrics that the chips select' })
  metrics_count!: number;

  @ApiProperty({ type: String, nullable: true })
  created_by_display_name!: string | null;

  @ApiProperty({ type: 'integer', format: 'int64' })
  created_timestamp!: number;
}

export class TuningAnswerDto {
  @ApiProperty({ type: TuningDto })
  tuning!: TuningDto;
}

export class TuningChangedDto extends TuningAnswerDto {
  @ApiProperty({ type: String, example: 'OK' })
  message!: string;
}

export class TuningsDto extends PageDto {
  @ApiProperty({ type: [TuningDto] })
  tunings!: TuningDto[];
}

export class PreviewedAnomalyDto {
  @ApiProperty({ type: String })
  metric!: string;

  @ApiProperty({ type: 'integer', format: 'int64' })
  from!: number;

  @ApiProperty({ type: 'integer', format: 'int64', nullable: true })
  until!: number | null;

  @ApiProperty({ enum: ANOMALY_KINDS })
  kind!: AnomalyKind;

  @ApiProperty({ type: 'integer', minimum: 0, maximum: 100 })
  severity!: number;
}

export class PreviewedDto {
  @ApiProperty({ type: 'integer' })
  anomalies_count!: number;

  @ApiProperty({ type: Number, description: 'Of all previewed metrics together' })
  per_day!: number;

  @ApiProperty({ type: [PreviewedAnomalyDto], description: 'The latest 200' })
  anomalies!: PreviewedAnomalyDto[];
}

export class TuningPreviewDto extends WindowDto {
  @ApiProperty({ type: 'integer' })
  metrics_count!: number;

  @ApiProperty({
    type: 'integer',
    description: 'Metrics that were replayed: up to 50, fewer when their series are long',
  })
  previewed_count!: number;

  @ApiProperty({ type: PreviewedDto, description: 'With the current settings' })
  before!: PreviewedDto;

  @ApiProperty({ type: PreviewedDto, description: 'With the proposed settings' })
  after!: PreviewedDto;

  @ApiProperty({ type: 'integer', description: 'Anomalies that would no longer open' })
  gone!: number;

  @ApiProperty({ type: 'integer', description: 'Anomalies that would open in addition' })
  added!: number;
}
