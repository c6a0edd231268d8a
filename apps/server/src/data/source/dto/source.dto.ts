import { ApiProperty } from '@nestjs/swagger';
import { METRIC_TYPES, type MetricType } from '#libs/contracts';
import { SecretNeededDto } from '../../../common/secrets/secret-needed.dto.js';
import { PageDto } from '../../../common/paging/paging.js';
import { SOURCE_STATES, SOURCE_TYPES, type SourceState, type SourceType } from '../source.types.js';

export class SourceDto {
  @ApiProperty({ type: 'integer' })
  id!: number;

  @ApiProperty({ type: String })
  name!: string;

  @ApiProperty({ enum: SOURCE_TYPES, description: 'Language of the query' })
  type!: SourceType;

  @ApiProperty({ type: String, description: 'Base address, without a login' })
  url!: string;

  @ApiProperty({ type: String, description: 'In the language of the type' })
  query!: string;

  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'string' },
    description: 'Names of the request headers that are set, with twelve asterisks as their values',
  })
  headers_set!: Record<string, string>;

  @ApiProperty({ type: String, description: 'For Basic authentication, or of the database' })
  username!: string;

  @ApiProperty({ type: Boolean, description: 'A password is stored' })
  password_set!: boolean;

  @ApiProperty({ type: 'integer', description: 'Step of the series and time between two reads' })
  interval_seconds!: number;

  @ApiProperty({ type: 'integer', description: 'Points younger than this are not read yet' })
  lag_seconds!: number;

  @ApiProperty({ type: 'integer', description: 'How much of the past is read first' })
  backfill_seconds!: number;

  @ApiProperty({ type: String, description: 'How metrics are named; empty: as at the source' })
  name_template!: string;

  @ApiProperty({ enum: METRIC_TYPES, nullable: true, description: 'Null: by the name (promql), or found in the data' })
  metric_type!: MetricType | null;

  @ApiProperty({ type: String, nullable: true })
  unit!: string | null;

  @ApiProperty({ type: 'integer', description: 'Longest time for one answer' })
  timeout_seconds!: number;

  @ApiProperty({ type: 'integer', description: 'A query with more series is refused as a whole' })
  max_series!: number;

  @ApiProperty({ type: Boolean })
  enabled!: boolean;

  @ApiProperty({
    type: Boolean,
    description: 'The expected range and the score of its metrics are written to the store that it reads',
  })
  write_back!: boolean;

  @ApiProperty({ enum: SOURCE_STATES, description: 'backfilling: the past is being read' })
  state!: SourceState;

  @ApiProperty({ type: 'integer', format: 'int64', nullable: true, description: 'When points were last read' })
  last_success_timestamp!: number | null;

  @ApiProperty({ type: String, nullable: true, description: 'Why the last read failed; null: it did not' })
  last_error!: string | null;

  @ApiProperty({ type: 'integer', nullable: true, description: 'Series of the last read' })
  series_count!: number | null;

  @ApiProperty({ type: Number, nullable: true, description: 'Points of one interval, as last read' })
  points_per_interval!: number | null;

  @ApiProperty({ type: 'integer', format: 'int64', nullable: true, description: 'All points up to here are stored' })
  watermark_timestamp!: number | null;

  @ApiProperty({
    type: 'integer',
    format: 'int64',
    nullable: true,
    description: 'Slots up to here are written back; null: none yet',
  })
  write_back_timestamp!: number | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Why the last attempt to write back failed, or ended for good; null: it did not',
  })
  write_back_error!: string | null;
}

export class SourceAnswerDto {
  @ApiProperty({ type: SourceDto, description: 'The query at another system' })
  source!: SourceDto;
}

export class SourceChangedDto extends SourceAnswerDto {
  @ApiProperty({ type: String, example: 'OK' })
  message!: string;
}

export class SourceUpdatedDto extends SourceChangedDto {
  @ApiProperty({
    type: [SecretNeededDto],
    description: 'secret_needed: a secret that was stored for another address is removed and must be given again',
  })
  details!: SecretNeededDto[];
}

export class SourcesDto extends PageDto {
  @ApiProperty({ type: [SourceDto], description: 'Queries at other systems, by name' })
  sources!: SourceDto[];
}

export class TestedSeriesDto {
  @ApiProperty({ type: String })
  metric!: string;

  @ApiProperty({ type: 'integer' })
  points!: number;

  @ApiProperty({ type: Number, nullable: true })
  last_value!: number | null;
}

export class SourceTestedDto {
  @ApiProperty({ type: Boolean, description: 'The query gave series that can be stored' })
  ok!: boolean;

  @ApiProperty({ type: String })
  message!: string;

  @ApiProperty({ type: 'integer', description: 'Series of the answer' })
  series_count!: number;

  @ApiProperty({ type: [TestedSeriesDto], description: 'The first 20' })
  series!: TestedSeriesDto[];

  @ApiProperty({ type: Number })
  duration_seconds!: number;
}
