import { ApiProperty } from '@nestjs/swagger';
import { ANOMALY_KINDS, type AnomalyKind } from '#libs/contracts';
import { BENCHMARK_MODEL_IDS, type BenchmarkModelId } from '../benchmark-models.types.js';
import { BENCHMARK_STATUSES, type BenchmarkStatus } from '../benchmark.types.js';

const SPEEDS = ['fast', 'medium', 'slow'] as const;

export class BenchmarkModelDto {
  @ApiProperty({ enum: BENCHMARK_MODEL_IDS })
  id!: BenchmarkModelId;

  @ApiProperty({ type: String })
  name!: string;

  @ApiProperty({ type: String })
  description!: string;

  @ApiProperty({ type: String, description: 'Where the method was published' })
  source!: string;

  @ApiProperty({ type: Boolean, description: 'Used where a benchmark names no models' })
  default!: boolean;

  @ApiProperty({ type: 'integer', description: 'Points before the first verdict' })
  minimum_points!: number;

  @ApiProperty({ enum: SPEEDS })
  speed!: (typeof SPEEDS)[number];
}

export class BenchmarkModelsDto {
  @ApiProperty({ type: [BenchmarkModelDto] })
  models!: BenchmarkModelDto[];
}

export class LabelFiguresDto {
  @ApiProperty({ type: 'integer', description: 'Labels found' })
  true_positives!: number;

  @ApiProperty({ type: 'integer', description: 'Anomalies that overlap no label' })
  false_positives!: number;

  @ApiProperty({ type: 'integer', description: 'Labels missed' })
  false_negatives!: number;

  @ApiProperty({ type: Number, nullable: true })
  precision!: number | null;

  @ApiProperty({ type: Number, nullable: true })
  recall!: number | null;

  @ApiProperty({ type: Number, nullable: true })
  f1!: number | null;

  @ApiProperty({ type: Number, nullable: true, description: 'Standard profile: 0 = no detection, 100 = perfect' })
  nab_score!: number | null;
}

export class BenchmarkModelResultDto {
  @ApiProperty({ enum: BENCHMARK_MODEL_IDS })
  id!: BenchmarkModelId;

  @ApiProperty({ enum: BENCHMARK_STATUSES })
  status!: BenchmarkStatus;

  @ApiProperty({ type: Number, nullable: true })
  runtime_seconds!: number | null;

  @ApiProperty({ type: 'integer', nullable: true })
  anomalies_count!: number | null;

  @ApiProperty({ type: String })
  message!: string;

  @ApiProperty({ type: LabelFiguresDto, nullable: true, description: 'With labels only' })
  metrics!: LabelFiguresDto | null;
}

export class BenchmarkDto {
  @ApiProperty({ type: String, description: 'Anyone who has it can read the results' })
  benchmark_id!: string;

  @ApiProperty({ type: String })
  name!: string;

  @ApiProperty({ enum: BENCHMARK_STATUSES })
  status!: BenchmarkStatus;

  @ApiProperty({ type: 'integer', minimum: 0, maximum: 100 })
  percent!: number;

  @ApiProperty({ type: String })
  message!: string;

  @ApiProperty({ type: 'integer', format: 'int64' })
  created_timestamp!: number;

  @ApiProperty({ type: 'integer', format: 'int64', nullable: true })
  started_timestamp!: number | null;

  @ApiProperty({ type: 'integer', format: 'int64', nullable: true })
  finished_timestamp!: number | null;

  @ApiProperty({ type: 'integer', format: 'int64' })
  expires_timestamp!: number;

  @ApiProperty({ type: 'integer' })
  points_count!: number;

  @ApiProperty({ type: 'integer' })
  resolution_seconds!: number;

  @ApiProperty({ type: 'integer', format: 'int64' })
  from!: number;

  @ApiProperty({ type: 'integer', format: 'int64' })
  until!: number;

  @ApiProperty({ type: 'integer' })
  labels_count!: number;

  @ApiProperty({ type: Boolean })
  email_set!: boolean;

  @ApiProperty({ type: [BenchmarkModelResultDto] })
  models!: BenchmarkModelResultDto[];
}

export class BenchmarkAnswerDto {
  @ApiProperty({ type: BenchmarkDto })
  benchmark!: BenchmarkDto;
}

export class BenchmarkChangedDto extends BenchmarkAnswerDto {
  @ApiProperty({ type: String, example: 'OK' })
  message!: string;
}

export class BenchmarkStartedDto extends BenchmarkChangedDto {
  @ApiProperty({ type: String })
  benchmark_id!: string;

  @ApiProperty({ type: String })
  status_url!: string;

  @ApiProperty({ type: String })
  chart_url!: string;
}

const NUMBERS = { type: 'array', items: { type: 'number', nullable: true } } as const;

export class BenchmarkAnomalyDto {
  @ApiProperty({ type: 'integer', format: 'int64' })
  from!: number;

  @ApiProperty({ type: 'integer', format: 'int64' })
  until!: number;

  @ApiProperty({ type: 'integer', format: 'int64' })
  peak_timestamp!: number;

  @ApiProperty({ type: Number, nullable: true })
  value!: number | null;

  @ApiProperty({ type: Number })
  score!: number;

  @ApiProperty({ enum: ANOMALY_KINDS })
  kind!: AnomalyKind;
}

export class BenchmarkModelDataDto {
  @ApiProperty({ enum: BENCHMARK_MODEL_IDS })
  id!: BenchmarkModelId;

  @ApiProperty({ type: 'array', items: NUMBERS, description: '[timestamp, lower, upper]; empty without a range' })
  expected_range!: [number, number, number][];

  @ApiProperty({ type: 'array', items: NUMBERS, description: '[timestamp, score 0..1]' })
  scores!: [number, number][];

  @ApiProperty({ type: [BenchmarkAnomalyDto], description: 'The first 1,000' })
  anomalies!: BenchmarkAnomalyDto[];

  @ApiProperty({ type: LabelFiguresDto, nullable: true })
  metrics!: LabelFiguresDto | null;
}

export class BenchmarkChartDataDto {
  @ApiProperty({ type: String })
  benchmark_id!: string;

  @ApiProperty({ type: String })
  name!: string;

  @ApiProperty({ type: 'array', items: NUMBERS, description: '[from, until]' })
  labels!: (readonly [number, number])[];

  @ApiProperty({ type: 'array', items: NUMBERS, description: '[timestamp, value]; of counters the rate' })
  timeseries!: [number, number | null][];

  @ApiProperty({ type: [BenchmarkModelDataDto] })
  models!: BenchmarkModelDataDto[];
}
