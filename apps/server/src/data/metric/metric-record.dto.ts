import { ApiProperty } from '@nestjs/swagger';
import {
  ANALYSIS_STATES,
  type AnalysisState,
  JUDGEMENT_STATES,
  type JudgementState,
  METRIC_STATES,
  METRIC_TYPES,
  type MetricState,
  type MetricType,
  NOT_JUDGED_REASONS,
  type NotJudgedReason,
} from '#libs/contracts';
import { type MetricRecord } from './metric.types.js';

/** A short form of a metric for lists and suggestions. */
export class MetricRefDto {
  @ApiProperty({ type: 'integer' })
  id!: number;

  @ApiProperty({ type: String, example: 'http_requests_total{job="api"}' })
  name!: string;

  @ApiProperty({ type: String, example: 'http_requests_total' })
  display_name!: string;

  @ApiProperty({ type: 'object', additionalProperties: { type: 'string' } })
  labels!: Record<string, string>;

  @ApiProperty({ enum: METRIC_STATES })
  state!: MetricState;
}

export class ReadinessDto {
  @ApiProperty({ type: Boolean })
  ready!: boolean;

  @ApiProperty({ type: 'integer', nullable: true, description: 'When it is expected; null when ready or not known' })
  expected_timestamp!: number | null;
}

export class MetricReadinessDto {
  @ApiProperty({ type: ReadinessDto })
  range!: ReadinessDto;

  @ApiProperty({ type: ReadinessDto })
  daily!: ReadinessDto;

  @ApiProperty({ type: ReadinessDto })
  weekly!: ReadinessDto;
}

export class JudgementDto {
  @ApiProperty({ enum: JUDGEMENT_STATES, description: 'Whether the detector judges the values of the metric' })
  state!: JudgementState;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'Only with `learning`: when the first day and the needed values will be complete at the current rate',
  })
  until_timestamp!: number | null;

  @ApiProperty({
    enum: NOT_JUDGED_REASONS,
    nullable: true,
    description:
      'Only with `not_judged`: `too_few_values` if the rate does not show when there will be enough, `irregular_rows` ' +
      'if rows are too irregular for that, or the reason in `analysis_state`',
  })
  reason!: NotJudgedReason | null;

  @ApiProperty({ type: 'integer', description: 'Values that the first verdict still needs' })
  values_needed!: number;

  @ApiProperty({
    type: Boolean,
    description: 'Whether missing data is reported: rows arrive live and at a steady rate',
  })
  silence!: boolean;
}

export class MetricDto extends MetricRefDto {
  @ApiProperty({ enum: METRIC_TYPES })
  type!: MetricType;

  @ApiProperty({ type: String, nullable: true })
  unit!: string | null;

  @ApiProperty({ type: String, nullable: true })
  description!: string | null;

  @ApiProperty({ type: String, example: 'prometheus', description: 'Service id of the first sender' })
  source!: string;

  @ApiProperty({ enum: ANALYSIS_STATES })
  analysis_state!: AnalysisState;

  @ApiProperty({ type: 'integer', description: 'Points still needed before analysis starts' })
  points_needed!: number;

  @ApiProperty({ type: 'integer', nullable: true, description: 'Expected or actual start of live analysis' })
  live_from_timestamp!: number | null;

  @ApiProperty({ type: JudgementDto })
  judgement!: JudgementDto;

  @ApiProperty({ type: 'integer' })
  created_timestamp!: number;

  @ApiProperty({ type: String, example: 'September 27th 2025' })
  created_string!: string;

  @ApiProperty({ type: 'integer', nullable: true })
  last_timestamp!: number | null;

  @ApiProperty({ type: String, example: 'just now' })
  last_string!: string;

  @ApiProperty({ type: Number, nullable: true })
  last_value!: number | null;

  @ApiProperty({ type: 'integer', nullable: true, description: 'Observed interval in seconds' })
  resolution_seconds!: number | null;

  @ApiProperty({ type: [Number], description: 'Periods found, in seconds' })
  seasonal_periods!: number[];

  @ApiProperty({ type: MetricReadinessDto })
  readiness!: MetricReadinessDto;

  @ApiProperty({ type: 'integer', nullable: true })
  trainable_from_timestamp!: number | null;

  @ApiProperty({ type: 'integer', nullable: true })
  long_term_trainable_from_timestamp!: number | null;

  @ApiProperty({ type: 'integer' })
  anomaly_count!: number;

  @ApiProperty({ type: 'integer' })
  match_count!: number;

  @ApiProperty({ type: 'integer' })
  pattern_count!: number;

  @ApiProperty({ type: 'integer', nullable: true })
  open_anomaly_id!: number | null;

  @ApiProperty({ type: 'integer', nullable: true })
  last_anomaly_timestamp!: number | null;

  @ApiProperty({ type: String, example: '27 hours ago' })
  last_anomaly_string!: string;

  @ApiProperty({ type: 'integer', nullable: true })
  last_match_timestamp!: number | null;

  @ApiProperty({ type: String, example: 'never' })
  last_match_string!: string;

  @ApiProperty({ type: 'array', items: { type: 'integer' } })
  watcher_ids!: number[];

  @ApiProperty({ type: 'array', items: { type: 'integer' } })
  exclusion_ids!: number[];

  @ApiProperty({ type: Boolean })
  counts_against_quota!: boolean;

  @ApiProperty({ type: String, format: 'uri' })
  graph_url!: string;
}

export function toMetricRefDto({ id, name, displayName, labels, state }: MetricRecord): MetricRefDto {
  return { id, name, display_name: displayName, labels, state };
}
