import { ApiProperty } from '@nestjs/swagger';
import { MATCH_TYPES, type MatchType } from './match.types.js';

export class MotifDto {
  @ApiProperty({ type: 'integer', description: 'First slot of the part in the curve of the pattern' })
  index!: number;

  @ApiProperty({ type: 'integer', description: 'Slots' })
  size!: number;

  @ApiProperty({ type: Number, description: 'z-normalised' })
  distance!: number;

  @ApiProperty({ type: Number })
  area_percent_diff!: number;

  @ApiProperty({ enum: ['exact', 'in_range', 'distance'] })
  type!: 'exact' | 'in_range' | 'distance';
}

export class MatchDto {
  @ApiProperty({ type: 'integer' })
  id!: number;

  @ApiProperty({ type: 'integer' })
  pattern_id!: number;

  @ApiProperty({ type: String })
  pattern_label!: string;

  @ApiProperty({ type: 'integer' })
  metric_id!: number;

  @ApiProperty({ type: String })
  metric_name!: string;

  @ApiProperty({ type: String, description: 'The same as `metric_name`' })
  metric!: string;

  @ApiProperty({ type: 'integer' })
  timestamp!: number;

  @ApiProperty({ type: String, example: 'October 15th 2025, 05:46' })
  timestamp_string!: string;

  @ApiProperty({ type: Number, nullable: true })
  value!: number | null;

  @ApiProperty({
    type: String,
    nullable: true,
    example: 'bytes/s',
    description: 'Unit of its values and of the expected range, as the metric has it; of counters and rates per second',
  })
  unit!: string | null;

  @ApiProperty({ type: 'integer', description: 'Seconds' })
  duration!: number;

  @ApiProperty({ type: String, example: '24 hour' })
  duration_string!: string;

  @ApiProperty({ enum: MATCH_TYPES })
  match_type!: MatchType;

  @ApiProperty({ type: Number, description: '0..1' })
  similarity!: number;

  @ApiProperty({ type: Number })
  distance!: number;

  @ApiProperty({ type: Number, description: 'What the anomaly would have been' })
  score!: number;

  @ApiProperty({ type: Number, nullable: true })
  expected_range_lower!: number | null;

  @ApiProperty({ type: Number, nullable: true })
  expected_range_upper!: number | null;

  @ApiProperty({ type: MotifDto, nullable: true })
  motif!: MotifDto | null;

  @ApiProperty({ type: String, description: 'Why it was taken for the pattern, as a sentence' })
  explanation!: string;

  @ApiProperty({ type: Boolean, nullable: true, description: 'null until it was judged' })
  validated!: boolean | null;

  @ApiProperty({ type: 'integer', nullable: true })
  validated_by!: number | null;

  @ApiProperty({ type: 'integer', nullable: true })
  validated_timestamp!: number | null;

  @ApiProperty({ type: 'integer', nullable: true, description: 'Opened because the match was marked wrong' })
  anomaly_id!: number | null;

  @ApiProperty({ type: String })
  graph_url!: string;

  @ApiProperty({ type: String, nullable: true })
  motif_graph_url!: string | null;
}
