import { ApiProperty } from '@nestjs/swagger';
import { WindowDto } from '../../../common/window/window.js';
import { SUGGESTIONS, type SuggestionKind } from '../noisy-metrics.types.js';

const DIRECTIONS = ['up', 'down'] as const;

export class SuggestedTuningDto {
  @ApiProperty({ type: [String], example: ['@name:"web.cpu"'] })
  chips!: string[];

  @ApiProperty({ type: 'integer', required: false })
  min_duration_seconds?: number;

  @ApiProperty({ enum: DIRECTIONS, required: false })
  direction?: (typeof DIRECTIONS)[number];

  @ApiProperty({ type: Number, required: false })
  sensitivity?: number;
}

export class NoisyMetricDto {
  @ApiProperty({ type: String })
  metric!: string;

  @ApiProperty({ type: 'integer' })
  metric_id!: number;

  @ApiProperty({ type: 'integer' })
  anomalies!: number;

  @ApiProperty({ type: 'integer' })
  open!: number;

  @ApiProperty({ type: 'integer', description: 'Alerts that were sent' })
  alerts!: number;

  @ApiProperty({ type: 'integer' })
  acknowledged!: number;

  @ApiProperty({ type: 'integer' })
  trained!: number;

  @ApiProperty({ type: 'integer' })
  confirmed!: number;

  @ApiProperty({ type: Number, description: 'Of all anomalies of the organisation in the window, 0..1' })
  share!: number;

  @ApiProperty({ enum: SUGGESTIONS })
  suggestion!: SuggestionKind;

  @ApiProperty({ type: String })
  suggestion_text!: string;

  @ApiProperty({
    type: SuggestedTuningDto,
    nullable: true,
    description: 'With the suggestion `tune`: what POST /tuning and POST /tuning/preview take',
  })
  suggested_tuning!: SuggestedTuningDto | null;
}

export class NoisiestDto extends WindowDto {
  @ApiProperty({ type: [NoisyMetricDto], description: 'Most anomalies first' })
  metrics!: NoisyMetricDto[];

  @ApiProperty({ type: 'integer' })
  total_anomalies!: number;

  @ApiProperty({ type: 'integer' })
  total_alerts!: number;
}
