import { ApiProperty } from '@nestjs/swagger';
import { PageDto } from '../../../common/paging/paging.js';
import { CURVE, PatternDto, PendingPatternDto } from '../pattern.dto.js';

export class PatternAnswerDto {
  @ApiProperty({ type: PatternDto })
  pattern!: PatternDto;

  @ApiProperty({ type: PatternDto, isArray: true, description: 'Of the same family; at most 100' })
  relatives!: PatternDto[];

  @ApiProperty({ type: String, description: 'The shape with its level and what counts as alike' })
  pattern_graph_url!: string;
}

export class PatternChangedDto {
  @ApiProperty({ type: PatternDto })
  pattern!: PatternDto;

  @ApiProperty({ type: 'integer', isArray: true, description: 'Patterns that were enabled until now' })
  disabled_ids!: number[];

  @ApiProperty({ type: String })
  message!: string;
}

export class PatternsDto extends PageDto {
  @ApiProperty({ type: PatternDto, isArray: true })
  patterns!: PatternDto[];
}

export class PendingPatternsDto extends PageDto {
  @ApiProperty({ type: PendingPatternDto, isArray: true })
  pending_patterns!: PendingPatternDto[];
}

export class PatternTimeseriesDto {
  @ApiProperty({ type: PatternDto })
  pattern!: PatternDto;

  @ApiProperty({
    ...CURVE,
    description: 'The time before the part in long slots, then the part in slots of `resolution_seconds`',
  })
  timeseries!: [number, number | null][];

  @ApiProperty({ type: 'integer' })
  resolution_seconds!: number;
}
