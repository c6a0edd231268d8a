import { ApiProperty } from '@nestjs/swagger';
import { CURVE, PatternDto } from '../../../analysis/pattern/pattern.dto.js';
import { WindowDto } from '../../../common/window/window.js';
import { type GraphParams } from './graph.params.js';

/** Parameters of the graph of a pattern. */
export const PATTERN_DISPLAY = [
  'display_x_axis',
  'display_y_axis',
  'display_legend',
  'display_anomalies',
  'display_expected_range',
  'width',
  'height',
  'theme',
  'title',
] as const satisfies readonly (keyof GraphParams)[];

export type PatternDisplay = Pick<GraphParams, (typeof PATTERN_DISPLAY)[number]>;

/** The graph of a pattern as numbers, for clients that draw it themselves. */
export class PatternGraphDto extends WindowDto {
  @ApiProperty({ type: PatternDto })
  pattern!: PatternDto;

  @ApiProperty({ type: 'integer', description: 'Of the part and what is around it' })
  resolution_seconds!: number;

  @ApiProperty(CURVE)
  timeseries!: [number, number | null][];

  @ApiProperty({ type: Number, description: 'Value from which the part begins' })
  level!: number;

  @ApiProperty({
    type: Number,
    description: 'Largest root mean square difference at which a part counts as alike',
  })
  spread!: number;

  @ApiProperty({ type: WindowDto, description: 'What was anomalous' })
  part!: WindowDto;

  @ApiProperty({ type: 'object', additionalProperties: true, description: 'The display parameters as used' })
  display!: PatternDisplay;
}
