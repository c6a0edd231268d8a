import { ApiProperty } from '@nestjs/swagger';
import { type CsvTable, csvTime } from '../../../common/http/csv-answer.js';
import { MetricPointsDto } from '../../../data/metric/timeseries.dto.js';

export class YhatPointDto {
  @ApiProperty({ type: 'integer', description: 'Start of the slot' })
  timestamp!: number;

  @ApiProperty({ type: Number, nullable: true, description: 'Expected value; of counters the rate' })
  yhat!: number | null;

  @ApiProperty({ type: Number, nullable: true })
  yhat_lower!: number | null;

  @ApiProperty({ type: Number, nullable: true })
  yhat_upper!: number | null;

  @ApiProperty({
    type: Number,
    nullable: true,
    description: 'Lower edge, not below 0 when the series has never been negative',
  })
  yhat_real_lower!: number | null;

  @ApiProperty({ type: Number, nullable: true })
  value!: number | null;

  @ApiProperty({ type: Number, nullable: true, description: 'Mean of the hour that ends with the slot' })
  mean!: number | null;

  @ApiProperty({ type: Number, nullable: true, description: '0..1' })
  score!: number | null;

  @ApiProperty({ type: Boolean })
  anomalous!: boolean;
}

export class AnomalousPeriodDto {
  @ApiProperty({ type: 'integer' })
  from!: number;

  @ApiProperty({ type: 'integer', nullable: true, description: 'null while open' })
  until!: number | null;

  @ApiProperty({ type: 'integer' })
  anomaly_id!: number;
}

const YHAT_REASONS = ['not_enough_data', 'excluded'] as const;

export class YhatDto extends MetricPointsDto {
  @ApiProperty({ type: Boolean })
  available!: boolean;

  @ApiProperty({ enum: YHAT_REASONS, nullable: true })
  reason!: (typeof YHAT_REASONS)[number] | null;

  @ApiProperty({ type: YhatPointDto, isArray: true })
  yhat!: YhatPointDto[];

  @ApiProperty({ type: AnomalousPeriodDto, isArray: true })
  anomalous_periods!: AnomalousPeriodDto[];
}

/** A row for each slot. */
export function tableOfYhat({ yhat }: YhatDto): CsvTable {
  const columns = [
    'yhat',
    'yhat_lower',
    'yhat_upper',
    'yhat_real_lower',
    'value',
    'mean',
    'score',
    'anomalous',
  ] as const;
  return {
    columns: ['timestamp', ...columns],
    rows: yhat.map((point) => [csvTime(point.timestamp), ...columns.map((name) => point[name])]),
  };
}
