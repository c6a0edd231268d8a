import { ApiProperty } from '@nestjs/swagger';
import { AnomalyRefDto } from '../../../analysis/anomaly/anomaly-ref.dto.js';
import { IncidentDto } from '../../../analysis/incident/incident.dto.js';
import { WindowDto } from '../../../common/window/window.js';
import { MetricRefDto } from '../../../data/metric/metric-record.dto.js';
import { TimeseriesDto } from '../../../data/metric/timeseries.dto.js';
import { type IncidentGraphParams } from './incident-graph.params.js';

/** Parameters of the graph of an incident, except its height. */
export const INCIDENT_DISPLAY = [
  'display_anomalies',
  'display_expected_range',
  'width',
  'theme',
  'title',
] as const satisfies readonly (keyof IncidentGraphParams)[];

export type IncidentDisplay = Pick<IncidentGraphParams, (typeof INCIDENT_DISPLAY)[number]> & { height: number };

export class IncidentMetricDto {
  @ApiProperty({ type: MetricRefDto })
  metric!: MetricRefDto;

  @ApiProperty({ type: 'integer', nullable: true, description: 'Among the likely origins; null beyond the tenth' })
  rank!: number | null;

  @ApiProperty({ type: Number, nullable: true, description: '0..1 of being the origin' })
  likelihood!: number | null;

  @ApiProperty({ type: TimeseriesDto })
  timeseries!: TimeseriesDto;

  @ApiProperty({ type: 'array', items: { type: 'object' }, description: 'As in GET /metric/{metric_name}/yhat' })
  yhat!: readonly object[];

  @ApiProperty({ type: AnomalyRefDto, isArray: true, description: 'Those of the incident' })
  anomalies!: AnomalyRefDto[];
}

/** The graph of an incident as numbers, for clients that draw it themselves. */
export class IncidentGraphDto extends WindowDto {
  @ApiProperty({ type: IncidentDto })
  incident!: IncidentDto;

  @ApiProperty({ type: IncidentMetricDto, isArray: true, description: 'The likeliest origin first' })
  metrics!: IncidentMetricDto[];

  @ApiProperty({ type: 'integer', description: 'Further metrics of the incident, for which there is no room' })
  more!: number;

  @ApiProperty({ type: 'object', additionalProperties: true, description: 'The display parameters as used' })
  display!: IncidentDisplay;
}
