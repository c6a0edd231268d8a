import { ApiProperty } from '@nestjs/swagger';

export const COUNT_SERIES = ['anomalies', 'matches', 'alerts', 'points', 'metrics'] as const;
export type CountSeriesName = (typeof COUNT_SERIES)[number];

export class CountSeriesDto {
  @ApiProperty({
    enum: COUNT_SERIES,
    description:
      'anomalies that began, matches, alerts sent, points stored (by arrival); metrics: how many there are at the end of the interval',
  })
  name!: CountSeriesName;

  @ApiProperty({
    type: 'array',
    items: { type: 'array', items: { type: 'integer' }, minItems: 2, maxItems: 2 },
    description: 'Start of the interval in Unix seconds, and the count; every interval of the window',
  })
  points!: [timestamp: number, count: number][];
}

/** Events of an organisation over time. */
export class OrgCountsDto {
  @ApiProperty({ type: 'integer', format: 'int64' })
  from!: number;

  @ApiProperty({ type: 'integer', format: 'int64' })
  until!: number;

  @ApiProperty({ type: 'integer', description: 'Length of an interval' })
  bucket_seconds!: number;

  @ApiProperty({ type: [CountSeriesDto] })
  series!: CountSeriesDto[];
}
