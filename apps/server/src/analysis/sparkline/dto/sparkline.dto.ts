import { ApiProperty } from '@nestjs/swagger';
import { type SeriesPoint } from '../../../data/metric/timeseries.types.js';
import { WindowDto } from '../../../common/window/window.js';

const POINTS = {
  type: 'array',
  items: { type: 'array', minItems: 2, maxItems: 2, items: { type: 'number', nullable: true } },
} as const;

export class SparklineAnomalyDto {
  @ApiProperty({ type: 'integer', format: 'int64' })
  from!: number;

  @ApiProperty({ type: 'integer', format: 'int64', nullable: true })
  until!: number | null;

  @ApiProperty({ type: 'integer', minimum: 0, maximum: 100 })
  severity!: number;
}

export class SparklineDto {
  @ApiProperty({ type: 'integer' })
  metric_id!: number;

  @ApiProperty({ type: 'integer' })
  resolution_seconds!: number;

  @ApiProperty({ ...POINTS, description: '[timestamp, value]; null without data; of counters rates per second' })
  points!: SeriesPoint[];

  @ApiProperty({
    type: 'array',
    items: { type: 'number', nullable: true },
    description: 'Expected range at each point; null while unknown',
  })
  lower!: (number | null)[];

  @ApiProperty({ type: 'array', items: { type: 'number', nullable: true } })
  upper!: (number | null)[];

  @ApiProperty({ type: [SparklineAnomalyDto], description: 'The latest 20' })
  anomalies!: SparklineAnomalyDto[];
}

export class SparklinesDto extends WindowDto {
  @ApiProperty({ type: [SparklineDto], description: 'In the order of `metric_ids`' })
  sparklines!: SparklineDto[];
}
