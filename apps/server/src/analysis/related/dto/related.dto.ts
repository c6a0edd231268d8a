import { ApiProperty } from '@nestjs/swagger';

const RELATION_BASES = ['correlation', 'incidents', 'name'] as const;
export type RelationBasis = (typeof RELATION_BASES)[number];

export class RelatedMetricDto {
  @ApiProperty({ type: String })
  metric!: string;

  @ApiProperty({ type: 'integer' })
  metric_id!: number;

  @ApiProperty({ type: Number, description: '0..1, from all that it is based on' })
  strength!: number;

  @ApiProperty({
    type: Number,
    nullable: true,
    description:
      '−1..1, of the changes of both at `lag_seconds`: of all of them, or of those that stand out, whichever agree more; null where there are too few values',
  })
  coefficient!: number | null;

  @ApiProperty({
    type: 'integer',
    description:
      'Positive: it follows this metric. In steps of the slots that are compared; 0 where chance may have made the coefficient',
  })
  lag_seconds!: number;

  @ApiProperty({
    type: 'integer',
    description: 'Incidents of the last 90 days with anomalies of both; missing data does not count',
  })
  shared_incidents!: number;

  @ApiProperty({ enum: RELATION_BASES, isArray: true })
  basis!: RelationBasis[];
}

export class RelatedDto {
  @ApiProperty({ type: RelatedMetricDto, isArray: true, description: 'The strongest first' })
  related!: RelatedMetricDto[];
}
