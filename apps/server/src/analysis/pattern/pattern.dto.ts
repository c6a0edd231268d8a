import { ApiProperty } from '@nestjs/swagger';
import {
  MAX_SEEN,
  PATTERN_ORIGINS,
  type PatternOrigin,
  PENDING_STATUSES,
  type PendingStatus,
} from './pattern.types.js';

/** API description of a curve: pairs of time and value. */
export const CURVE = {
  type: 'array',
  items: { type: 'array', items: { type: 'number', nullable: true } },
  example: [[1759996800, 12.5]],
} as const;

export class PatternDto {
  @ApiProperty({ type: 'integer' })
  id!: number;

  @ApiProperty({ type: 'integer', description: '0: an original' })
  parent_id!: number;

  @ApiProperty({ type: 'integer', description: 'The first of its family; 0 without relatives' })
  group_id!: number;

  @ApiProperty({ type: 'integer', description: '0: trained by a person' })
  generation!: number;

  @ApiProperty({ enum: ['user', 'machine'] })
  creator_type!: 'user' | 'machine';

  @ApiProperty({ type: 'integer' })
  creator_user_id!: number;

  @ApiProperty({ type: String })
  creator_user_display_name!: string;

  @ApiProperty({ type: 'integer' })
  metric_id!: number;

  @ApiProperty({ type: String })
  metric_name!: string;

  @ApiProperty({ type: String, description: 'The same as `metric_name`' })
  metric!: string;

  @ApiProperty({ type: 'integer', description: 'Seconds' })
  duration!: number;

  @ApiProperty({ type: String, example: '24 hour' })
  duration_string!: string;

  @ApiProperty({ type: 'integer', description: 'End of the shape' })
  anomaly_timestamp!: number;

  @ApiProperty({ type: 'integer', nullable: true })
  anomaly_id!: number | null;

  @ApiProperty({ type: Number, nullable: true })
  anomaly_value!: number | null;

  @ApiProperty({
    type: String,
    nullable: true,
    example: 'bytes/s',
    description: 'Unit of its values, as the metric has it; of counters and rates per second',
  })
  unit!: string | null;

  @ApiProperty({ type: 'integer' })
  created_timestamp!: number;

  @ApiProperty({ type: String, example: 'October 9th 2025' })
  created_string!: string;

  @ApiProperty({ type: Boolean })
  enabled!: boolean;

  @ApiProperty({ enum: PATTERN_ORIGINS })
  origin!: PatternOrigin;

  @ApiProperty({ type: Boolean })
  layers!: boolean;

  @ApiProperty({
    type: Boolean,
    description: 'Compared, but suppresses nothing until it is validated or other patterns agree',
  })
  shadow!: boolean;

  @ApiProperty({
    type: 'integer',
    isArray: true,
    description: `When its shape was observed to begin, oldest first; at most the last ${String(MAX_SEEN)}`,
  })
  seen_timestamps!: number[];

  @ApiProperty({ type: 'integer' })
  checks!: number;

  @ApiProperty({ type: 'integer' })
  matches!: number;

  @ApiProperty({ type: 'integer' })
  invalid_matches!: number;

  @ApiProperty({ type: String, example: '22%' })
  match_rate!: string;

  @ApiProperty({ type: String, example: '22% (11/50)' })
  match_rate_string!: string;

  @ApiProperty({ type: 'integer' })
  match_rate_percent!: number;

  @ApiProperty({ type: 'integer', nullable: true })
  last_match_timestamp!: number | null;

  @ApiProperty({ type: String, example: '5 hours ago' })
  last_match_string!: string;

  @ApiProperty({ type: String })
  label!: string;

  @ApiProperty({ type: Boolean, description: 'Shape of a known problem: never suppresses anything' })
  positive!: boolean;

  @ApiProperty({
    type: Boolean,
    nullable: true,
    description: 'Verdict of a person on a pattern that the product created',
  })
  validated!: boolean | null;

  @ApiProperty({ type: Number, description: '0..1 needed for a match' })
  similarity_threshold!: number;

  @ApiProperty({ type: Boolean, description: 'The caller may disable or change it' })
  deletable!: boolean;

  @ApiProperty({ type: String })
  graph_url!: string;
}

export class PendingPatternDto {
  @ApiProperty({ type: 'integer' })
  id!: number;

  @ApiProperty({ type: 'integer' })
  anomaly_id!: number;

  @ApiProperty({ type: 'integer' })
  metric_id!: number;

  @ApiProperty({ type: String })
  metric!: string;

  @ApiProperty({ type: 'integer', description: 'Seconds' })
  duration!: number;

  @ApiProperty({ type: String, example: '7 day' })
  duration_string!: string;

  @ApiProperty({ type: String })
  label!: string;

  @ApiProperty({ type: Boolean })
  positive!: boolean;

  @ApiProperty({ enum: PENDING_STATUSES })
  status!: PendingStatus;

  @ApiProperty({ type: String, nullable: true })
  message!: string | null;

  @ApiProperty({ type: 'integer' })
  requested_timestamp!: number;

  @ApiProperty({ type: 'integer', nullable: true })
  requested_by!: number | null;

  @ApiProperty({ type: String, nullable: true })
  requested_by_display_name!: string | null;

  @ApiProperty({ type: 'integer', nullable: true })
  progress_id!: number | null;
}
