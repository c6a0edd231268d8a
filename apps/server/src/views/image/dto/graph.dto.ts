import { ApiProperty } from '@nestjs/swagger';
import { MatchDto } from '../../../teaching/match/match.dto.js';
import { MetricDto } from '../../../data/metric/metric-record.dto.js';
import { PointWindowDto, TimeseriesDto } from '../../../data/metric/timeseries.dto.js';
import { type GraphDisplay } from '../metric-chart.js';

/** A graph as numbers, for clients that draw it themselves. */
export class GraphDto extends PointWindowDto {
  @ApiProperty({ type: MetricDto })
  metric!: MetricDto;

  @ApiProperty({ type: TimeseriesDto })
  timeseries!: TimeseriesDto;

  @ApiProperty({ type: 'array', items: { type: 'object' }, description: 'As in GET /metric/{metric_name}/yhat' })
  yhat!: readonly object[];

  @ApiProperty({ type: 'array', items: { type: 'object' }, description: 'As in GET /metric/{metric_name}/anomalies' })
  anomalies!: readonly object[];

  @ApiProperty({ type: [MatchDto], description: 'The newest first' })
  matches!: readonly MatchDto[];

  @ApiProperty({ type: 'object', additionalProperties: true, description: 'The display parameters as used' })
  display!: GraphDisplay;
}
