import { ApiProperty } from '@nestjs/swagger';
import { PageDto } from '../../../common/paging/paging.js';
import { CURVE, PatternDto } from '../../../analysis/pattern/pattern.dto.js';
import { MatchDto } from '../match.dto.js';

export class MatchAnswerDto {
  @ApiProperty({ type: MatchDto })
  match!: MatchDto;

  @ApiProperty({ type: PatternDto })
  pattern!: PatternDto;

  @ApiProperty({ ...CURVE, description: 'The matched window' })
  timeseries!: [number, number | null][];

  @ApiProperty({ ...CURVE, description: 'The part of the pattern that it was compared with' })
  pattern_timeseries!: [number, number | null][];

  @ApiProperty({ type: String })
  match_graph_url!: string;

  @ApiProperty({ type: String, nullable: true })
  motif_graph_url!: string | null;
}

export class MatchesDto extends PageDto {
  @ApiProperty({ type: MatchDto, isArray: true })
  matches!: MatchDto[];
}

export class RecentlyMatchedMetricDto {
  @ApiProperty({ type: String })
  metric!: string;

  @ApiProperty({ type: 'integer' })
  metric_id!: number;

  @ApiProperty({ type: 'integer' })
  last_match_timestamp!: number;

  @ApiProperty({ type: String, example: '5 hours ago' })
  last_match_string!: string;

  @ApiProperty({ type: MatchDto })
  match!: MatchDto;
}

export class RecentlyMatchedDto {
  @ApiProperty({ type: RecentlyMatchedMetricDto, isArray: true })
  metrics!: RecentlyMatchedMetricDto[];
}

export class MatchValidatedDto {
  @ApiProperty({ type: MatchDto })
  match!: MatchDto;

  @ApiProperty({ type: PatternDto })
  pattern!: PatternDto;

  @ApiProperty({ type: 'integer', nullable: true })
  anomaly_id!: number | null;

  @ApiProperty({ type: String })
  message!: string;
}
