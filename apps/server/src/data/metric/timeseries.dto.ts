import { ApiProperty } from '@nestjs/swagger';
import { type CsvTable, csvTime } from '../../common/http/csv-answer.js';
import { WindowDto } from '../../common/window/window.js';
import { SERIES_FUNCTIONS, type SeriesFunctionName, type SeriesPoint } from './timeseries.types.js';

const POINTS = {
  type: 'array',
  items: { type: 'array', minItems: 2, maxItems: 2, items: { type: 'number', nullable: true } },
} as const;

/** The window of an answer and the length of its points. */
export class PointWindowDto extends WindowDto {
  @ApiProperty({ type: 'integer' })
  resolution_seconds!: number;
}

/** First members of every answer with points of one metric. */
export class MetricPointsDto extends PointWindowDto {
  @ApiProperty({ type: String })
  metric!: string;

  @ApiProperty({ type: 'integer' })
  metric_id!: number;
}

export class TimeseriesDto extends MetricPointsDto {
  @ApiProperty({ enum: [0, 1, 2], description: 'Retention tier; 0 when both contributed' })
  tier!: 0 | 1 | 2;

  @ApiProperty({ type: Boolean, description: 'False when every point is one stored slot' })
  aggregated!: boolean;

  @ApiProperty({ enum: SERIES_FUNCTIONS, description: 'Used when aggregated' })
  function!: SeriesFunctionName;

  @ApiProperty({ ...POINTS, description: 'Slot start and value', example: [[1759913640, 12.5]] })
  points!: SeriesPoint[];

  @ApiProperty({ ...POINTS, nullable: true, description: 'Only with `envelope` on aggregated data' })
  points_min!: SeriesPoint[] | null;

  @ApiProperty({ ...POINTS, nullable: true, description: 'Only with `envelope` on aggregated data' })
  points_max!: SeriesPoint[] | null;

  @ApiProperty({ ...POINTS, nullable: true, description: 'Per-second rate, never negative' })
  derivative!: SeriesPoint[] | null;
}

/** One row per point; columns that the answer lacks are omitted. */
export function tableOfTimeseries({ points, points_min, points_max, derivative }: TimeseriesDto): CsvTable {
  const named: [string, SeriesPoint[] | null][] = [
    ['value', points],
    ['min', points_min],
    ['max', points_max],
    ['derivative', derivative],
  ];
  const columns = named.flatMap(([name, values]) => (values === null ? [] : [{ name, values }]));
  return {
    columns: ['timestamp', ...columns.map(({ name }) => name)],
    // All columns have the slots of the first.
    rows: points.map(([timestamp], row) => [
      csvTime(timestamp),
      ...columns.map(({ values }) => values[row]?.[1] ?? null),
    ]),
  };
}
