import { ApiProperty } from '@nestjs/swagger';
import {
  CLOSE_REASONS,
  type CloseReason,
  rarityMonths,
  SEVERITY_LABELS,
  severityLabel,
  type SeverityLabel,
} from '#libs/contracts';
import { shownUnit } from '#libs/wording';
import { number } from '../../common/display/display.js';
import { PatternDto, PendingPatternDto } from '../pattern/pattern.dto.js';
import { AnomalyRefDto, toAnomalyRefDto } from './anomaly-ref.dto.js';
import { type Anomaly } from './anomaly.types.js';
import { TRAINABLE_STATUSES, type TrainableStatus, trainingOf } from './training.js';

export class ExplanationDto {
  @ApiProperty({ type: String, example: 'robust_deviation' })
  test!: string;

  @ApiProperty({ type: Number, description: '0..1' })
  score!: number;

  @ApiProperty({ type: Number, nullable: true })
  observed!: number | null;

  @ApiProperty({ type: Number, nullable: true })
  expected!: number | null;

  @ApiProperty({ type: 'integer', description: 'Start of the slot that `observed` belongs to' })
  timestamp!: number;

  @ApiProperty({ type: String })
  text!: string;

  @ApiProperty({ type: 'integer', nullable: true, description: 'Of `look_alike`: the earlier anomaly; else null' })
  anomaly_id!: number | null;
}

export class AnomalyTrainingDto {
  @ApiProperty({ type: Boolean })
  trainable!: boolean;

  @ApiProperty({ enum: TRAINABLE_STATUSES })
  trainable_status!: TrainableStatus;

  @ApiProperty({ type: 'integer', nullable: true })
  trainable_until_timestamp!: number | null;

  @ApiProperty({ type: 'integer', nullable: true, description: 'From when the long-term pattern can be trained' })
  '30_day_trainable_from_timestamp'!: number | null;

  @ApiProperty({ type: 'integer', nullable: true, description: 'Seconds until then; 0 = now, null = never' })
  '30_day_trainable_in'!: number | null;

  @ApiProperty({ type: 'integer', nullable: true })
  trainable_from_timestamp!: number | null;

  @ApiProperty({ type: 'integer', isArray: true, example: [86_400, 604_800], description: 'Seconds' })
  durations!: number[];
}

export class AnomalyDto extends AnomalyRefDto {
  @ApiProperty({
    type: Number,
    nullable: true,
    description: 'At the first anomalous slot (`timestamp`); of counters the rate',
  })
  value!: number | null;

  @ApiProperty({
    type: String,
    nullable: true,
    example: 'bytes/s',
    description: 'Unit of its values and of the expected range, as the metric has it; of counters and rates per second',
  })
  unit!: string | null;

  @ApiProperty({ type: 'integer', description: 'Start of the slot furthest outside of the expected range' })
  peak_timestamp!: number;

  @ApiProperty({ type: Number, nullable: true, description: 'At `peak_timestamp`' })
  peak_value!: number | null;

  @ApiProperty({ type: AnomalyTrainingDto })
  training!: AnomalyTrainingDto;

  @ApiProperty({ type: PatternDto, isArray: true, description: 'Trained from it, or shapes of problems it looks like' })
  patterns!: PatternDto[];

  @ApiProperty({
    type: Boolean,
    description: 'Opened because the check against patterns had not answered in time; it may still become a match',
  })
  unconfirmed!: boolean;

  @ApiProperty({ type: Boolean, description: 'A user confirmed it as a real problem' })
  positive!: boolean;

  @ApiProperty({ type: Number, nullable: true })
  expected_range_lower!: number | null;

  @ApiProperty({ type: Number, nullable: true })
  expected_range_upper!: number | null;

  @ApiProperty({ type: String, nullable: true })
  expected_range_lower_string!: string | null;

  @ApiProperty({ type: String, nullable: true })
  expected_range_upper_string!: string | null;

  @ApiProperty({ type: PendingPatternDto, isArray: true })
  pending_patterns!: PendingPatternDto[];

  @ApiProperty({ enum: CLOSE_REASONS, nullable: true })
  close_reason!: CloseReason | null;

  @ApiProperty({ enum: SEVERITY_LABELS })
  severity_label!: SeverityLabel;

  @ApiProperty({
    type: Number,
    nullable: true,
    example: 4,
    description:
      'Expected number of months (of 30 days) between two anomalies of the metric, by its own history until this one began; null while less than a day of it is known',
  })
  rarity_months!: number | null;

  @ApiProperty({ type: ExplanationDto, isArray: true, description: 'Strongest first' })
  explanation!: ExplanationDto[];

  @ApiProperty({ type: 'integer', nullable: true })
  acknowledged_by!: number | null;

  @ApiProperty({ type: String, nullable: true })
  acknowledged_by_display_name!: string | null;

  @ApiProperty({ type: 'integer', nullable: true })
  acknowledged_at!: number | null;

  @ApiProperty({ type: String, nullable: true })
  acknowledge_note!: string | null;

  @ApiProperty({ type: 'integer', nullable: true })
  incident_id!: number | null;

  @ApiProperty({ type: String })
  anomaly_graph_url!: string;
}

/** Data for a record in addition to the anomaly itself. */
export interface AnomalyContext {
  /** Unix seconds. */
  now: number;
  timezone: string;
  /** Length of the long-term pattern of the organisation. */
  longTermSeconds: number;
  /** The reader may train. */
  mayTrain: boolean;
  graphUrl: string;
  patterns: readonly PatternDto[];
  pendingPatterns: readonly PendingPatternDto[];
  /** Names of the users who acknowledged anomalies, by user id. */
  displayNames: ReadonlyMap<number, string>;
}

export function toAnomalyDto(anomaly: Anomaly, context: AnomalyContext): AnomalyDto {
  const { lower, upper, acknowledgedBy } = anomaly;
  const reference: { [Name in keyof AnomalyRefDto]: AnomalyRefDto[Name] } = toAnomalyRefDto(anomaly, context.timezone);
  return {
    ...reference,
    value: anomaly.value,
    unit: shownUnit({ type: anomaly.metricType, unit: anomaly.metricUnit }),
    peak_timestamp: anomaly.peakTimestamp,
    peak_value: anomaly.peakValue,
    training: toTrainingDto(anomaly, context),
    patterns: [...context.patterns],
    unconfirmed: anomaly.unconfirmed,
    positive: anomaly.positive,
    expected_range_lower: lower,
    expected_range_upper: upper,
    expected_range_lower_string: lower === null ? null : number(lower),
    expected_range_upper_string: upper === null ? null : number(upper),
    pending_patterns: [...context.pendingPatterns],
    close_reason: anomaly.closeReason,
    severity_label: severityLabel(anomaly.severity),
    rarity_months: rarityMonths(anomaly.rarityDays),
    explanation: explanationOf(anomaly),
    acknowledged_by: acknowledgedBy,
    acknowledged_by_display_name: acknowledgedBy === null ? null : (context.displayNames.get(acknowledgedBy) ?? null),
    acknowledged_at: anomaly.acknowledgedAt === null ? null : Math.floor(anomaly.acknowledgedAt),
    acknowledge_note: anomaly.acknowledgeNote,
    incident_id: anomaly.incidentId,
    anomaly_graph_url: context.graphUrl,
  };
}

function explanationOf({ explanation, lookAlikeId }: Anomaly): ExplanationDto[] {
  return explanation.map(({ test, score, observed, expected, timestamp, text }) => {
    const anomalyId = test === 'look_alike' ? lookAlikeId : null;
    return { test, score, observed, expected, timestamp, text, anomaly_id: anomalyId };
  });
}

function toTrainingDto(
  anomaly: Anomaly,
  { now, longTermSeconds, mayTrain, pendingPatterns }: AnomalyContext,
): AnomalyTrainingDto {
  const isPending = pendingPatterns.some(({ status }) => status !== 'failed');
  const training = trainingOf({ ...anomaly, longTermSeconds, isPermitted: mayTrain, isPending }, Math.floor(now));
  return {
    trainable: training.trainable,
    trainable_status: training.status,
    trainable_until_timestamp: training.trainableUntil,
    '30_day_trainable_from_timestamp': training.longTermFrom,
    '30_day_trainable_in': training.longTermIn,
    trainable_from_timestamp: training.trainableFrom,
    durations: training.durations,
  };
}
