import { ApiProperty } from '@nestjs/swagger';
import { AnomalyDto } from '../../../analysis/anomaly/anomaly.dto.js';
import { AnomalyRefDto } from '../../../analysis/anomaly/anomaly-ref.dto.js';
import { PendingPatternDto } from '../../../analysis/pattern/pattern.dto.js';
import { type Example, EXAMPLE_VERDICTS, EXAMPLES, type ExampleVerdict } from '../training.types.js';

export class SimilarAnomalyDto extends AnomalyRefDto {
  @ApiProperty({ type: Number, description: '0..1' })
  similarity!: number;
}

export class ExampleDto {
  @ApiProperty({ enum: EXAMPLES })
  what!: Example;

  @ApiProperty({ type: Boolean })
  would_open!: boolean;

  @ApiProperty({
    enum: EXAMPLE_VERDICTS,
    description: 'unknown: too little of the shape was seen to decide; until then nothing opens',
  })
  verdict!: ExampleVerdict;

  @ApiProperty({
    type: String,
    example: 'It would open an anomaly: the same shape twice as high counts as something else.',
  })
  text!: string;
}

/** The effect of the patterns on the past, and on the future. */
export class TrainingPreviewDto {
  @ApiProperty({ type: 'integer' })
  days!: number;

  @ApiProperty({ type: SimilarAnomalyDto, isArray: true, description: 'Anomalies that would have been matches' })
  would_match!: SimilarAnomalyDto[];

  @ApiProperty({ type: AnomalyRefDto, isArray: true })
  would_still_open!: AnomalyRefDto[];

  @ApiProperty({ type: 'integer', description: 'Days of the metric that were looked at' })
  nights_checked!: number;

  @ApiProperty({ type: ExampleDto, isArray: true })
  examples!: ExampleDto[];
}

export class TrainedDto {
  @ApiProperty({ type: AnomalyDto })
  anomaly!: AnomalyDto;

  @ApiProperty({ type: PendingPatternDto, isArray: true })
  pending_patterns!: PendingPatternDto[];

  @ApiProperty({ type: 'integer', nullable: true })
  progress_id!: number | null;

  @ApiProperty({ type: TrainingPreviewDto, nullable: true, description: 'null where nothing is expected' })
  preview!: TrainingPreviewDto | null;

  @ApiProperty({ type: String })
  message!: string;
}

export class UntrainedDto {
  @ApiProperty({ type: AnomalyDto })
  anomaly!: AnomalyDto;

  @ApiProperty({ type: 'integer', isArray: true })
  removed_pattern_ids!: number[];

  @ApiProperty({ type: String })
  message!: string;
}

export class AcknowledgedDto {
  @ApiProperty({ type: AnomalyDto })
  anomaly!: AnomalyDto;

  @ApiProperty({ type: 'integer', isArray: true })
  acknowledged_ids!: number[];

  @ApiProperty({ type: String })
  message!: string;
}
