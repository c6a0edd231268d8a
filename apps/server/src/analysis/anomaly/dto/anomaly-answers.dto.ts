import { ApiProperty, IntersectionType } from '@nestjs/swagger';
import { RecentCountsDto } from '../../../common/counts/recent-counts.js';
import { type CsvTable, csvTime } from '../../../common/http/csv-answer.js';
import { PageDto } from '../../../common/paging/paging.js';
import { WindowDto } from '../../../common/window/window.js';
import { AlertDeliveryDto } from '../../alert-history/alert-delivery.dto.js';
import { IncidentDto } from '../../incident/incident.dto.js';
import { AnomalyRefDto } from '../anomaly-ref.dto.js';
import { AnomalyDto } from '../anomaly.dto.js';

export class AnomaliesDto extends IntersectionType(PageDto, WindowDto) {
  @ApiProperty({ type: AnomalyDto, isArray: true })
  anomalies!: AnomalyDto[];
}

export class MetricAnomaliesDto extends AnomaliesDto {
  @ApiProperty({ type: String })
  metric!: string;

  @ApiProperty({ type: 'integer' })
  metric_id!: number;
}

/** An anomaly and the events around it. */
export class AnomalyAnswerDto {
  @ApiProperty({ type: AnomalyDto })
  anomaly!: AnomalyDto;

  @ApiProperty({ type: String })
  anomaly_graph_url!: string;

  @ApiProperty({ type: IncidentDto, nullable: true })
  incident!: IncidentDto | null;

  @ApiProperty({ type: AnomalyRefDto, isArray: true, description: 'Of the same incident, or started within 120 s' })
  related_anomalies!: AnomalyRefDto[];

  @ApiProperty({ type: 'array', items: { type: 'object' }, description: 'Within 120 s' })
  related_matches!: object[];

  @ApiProperty({ type: [AlertDeliveryDto], description: 'Of the anomaly or its incident, newest first, at most 50' })
  alerts!: AlertDeliveryDto[];
}

export class DayCountDto {
  @ApiProperty({ type: String, example: '2025-10-09' })
  date!: string;

  @ApiProperty({ type: 'integer' })
  count!: number;
}

export class AnomalySummaryDto extends RecentCountsDto {
  @ApiProperty({ type: 'integer' })
  total!: number;

  @ApiProperty({ type: 'integer' })
  open!: number;

  @ApiProperty({ type: 'integer' })
  trained!: number;

  @ApiProperty({ type: 'integer' })
  positive!: number;

  @ApiProperty({ type: 'integer' })
  acknowledged!: number;

  @ApiProperty({ type: 'integer', nullable: true })
  first_timestamp!: number | null;

  @ApiProperty({ type: 'integer', nullable: true })
  last_timestamp!: number | null;

  @ApiProperty({ type: String, example: '7 hours ago' })
  last_string!: string;

  @ApiProperty({ type: 'integer', nullable: true })
  longest_seconds!: number | null;

  @ApiProperty({ type: 'object', additionalProperties: { type: 'integer' }, example: { spike: 3 } })
  by_kind!: Record<string, number>;

  @ApiProperty({ type: DayCountDto, isArray: true, description: 'Every requested day, oldest first' })
  per_day!: DayCountDto[];
}

export class AnomalySummaryAnswerDto {
  @ApiProperty({ type: AnomalySummaryDto })
  summary!: AnomalySummaryDto;
}

/** One row per anomaly of the page. */
export function tableOfAnomalies({ anomalies }: AnomaliesDto): CsvTable {
  const columns = [
    'id',
    'metric',
    'metric_id',
    'timestamp',
    'until_timestamp',
    'kind',
    'state',
    'severity',
    'severity_label',
    'score',
    'value',
    'expected_range_lower',
    'expected_range_upper',
    'positive',
    'acknowledged_at',
    'incident_id',
    'out_until_timestamp',
  ] as const;
  return {
    columns,
    rows: anomalies.map((anomaly) => {
      const { timestamp, until_timestamp, out_until_timestamp, acknowledged_at } = anomaly;
      const times: Partial<Record<(typeof columns)[number], string | null>> = {
        timestamp: csvTime(timestamp),
        until_timestamp: csvTime(until_timestamp),
        out_until_timestamp: csvTime(out_until_timestamp),
        acknowledged_at: csvTime(acknowledged_at),
      };
      return columns.map((name) => times[name] ?? anomaly[name]);
    }),
  };
}
