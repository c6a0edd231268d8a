import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { MetricDto } from '../../../data/metric/metric-record.dto.js';
import { WindowDto } from '../../../common/window/window.js';

const Part = (call: string): PropertyDecorator =>
  ApiPropertyOptional({
    type: 'object',
    additionalProperties: true,
    description: `As in ${call}, the first 1000 rows`,
  });

/** Parts are present if they were requested. */
export class MetricBundleDto extends WindowDto {
  @ApiProperty({ type: MetricDto })
  metric!: MetricDto;

  @Part('GET /metric/{metric_name}/timeseries')
  timeseries?: object;

  @Part('GET /metric/{metric_name}/yhat')
  yhat?: object;

  @Part('GET /metric/{metric_name}/anomalies')
  anomalies?: object;

  @Part('GET /pattern/{pattern_id}/matches')
  matches?: object;

  @Part('GET /metric/{metric_name}/patterns')
  patterns?: object;

  @ApiPropertyOptional({
    type: 'array',
    items: { type: 'object', additionalProperties: true },
    description: 'As in GET /metric/{metric_name}',
  })
  watchers?: object;

  @Part('GET /metric/{metric_name}/related')
  related?: object;
}
