import { ApiProperty } from '@nestjs/swagger';
import { MatchDto } from '../../../teaching/match/match.dto.js';
import { CURVE, PatternDto } from '../../../analysis/pattern/pattern.dto.js';
import { type GraphParams } from './graph.params.js';

/** Parameters of the graph of a match. */
export const MATCH_DISPLAY = [
  'display_x_axis',
  'display_y_axis',
  'display_legend',
  'width',
  'height',
  'theme',
  'title',
] as const satisfies readonly (keyof GraphParams)[];

export type MatchDisplay = Pick<GraphParams, (typeof MATCH_DISPLAY)[number]>;

/** The graph of a match as numbers, for clients that draw it themselves. */
export class MatchGraphDto {
  @ApiProperty({ type: MatchDto })
  match!: MatchDto;

  @ApiProperty({ type: PatternDto })
  pattern!: PatternDto;

  @ApiProperty({ ...CURVE, description: 'What matched' })
  timeseries!: [number, number | null][];

  @ApiProperty({ ...CURVE, description: 'The pattern, or its part, at its own time' })
  pattern_timeseries!: [number, number | null][];

  @ApiProperty({ type: 'integer', description: 'Seconds from the time of the pattern to that of the match' })
  shift_seconds!: number;

  @ApiProperty({ type: 'object', additionalProperties: true, description: 'The display parameters as used' })
  display!: MatchDisplay;
}
