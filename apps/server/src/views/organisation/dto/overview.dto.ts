import { ApiExtraModels, ApiProperty, getSchemaPath } from '@nestjs/swagger';
import { type OnboardingStatusId } from '#libs/contracts';
import { AnomalousMetricDto } from '../../../analysis/anomaly/anomalous-metric.dto.js';
import { AnomalyRefDto } from '../../../analysis/anomaly/anomaly-ref.dto.js';
import { IncidentDto } from '../../../analysis/incident/incident.dto.js';
import { MatchDto } from '../../../teaching/match/match.dto.js';
import { EventDto } from '../../../platform/event/event.dto.js';

const ONBOARDING_STATUSES = ['no_metrics', 'receiving', 'learning', 'live'] as const;
export type OnboardingStatus = (typeof ONBOARDING_STATUSES)[number];

export class OverviewOnboardingDto {
  @ApiProperty({ enum: [1, 100, 200, 300] })
  status_id!: OnboardingStatusId;

  @ApiProperty({ enum: ONBOARDING_STATUSES })
  status!: OnboardingStatus;

  @ApiProperty({ type: String, example: 'The first data has arrived.' })
  message!: string;

  @ApiProperty({ type: 'integer', nullable: true, description: 'The onboarding at GET /progress' })
  progress_id!: number | null;
}

export class OverviewCountsDto {
  @ApiProperty({ type: 'integer' })
  metrics_active!: number;

  @ApiProperty({ type: 'integer' })
  anomalies_open!: number;

  @ApiProperty({ type: 'integer' })
  incidents_open!: number;

  @ApiProperty({ type: 'integer' })
  anomalies_last_24h!: number;

  @ApiProperty({ type: 'integer' })
  matches_last_24h!: number;

  @ApiProperty({ type: 'integer' })
  alerts_last_24h!: number;

  @ApiProperty({ type: 'integer', description: 'Anomalies that the caller can train now' })
  trainable!: number;
}

const CARD_TYPES = ['anomaly', 'match', 'training'] as const;

@ApiExtraModels(AnomalyRefDto, MatchDto)
export class OverviewCardDto {
  @ApiProperty({
    enum: CARD_TYPES,
    description: 'training: an anomaly that the caller can train; anomaly: any other; match: a moment like a pattern',
  })
  type!: (typeof CARD_TYPES)[number];

  @ApiProperty({ type: 'integer' })
  timestamp!: number;

  @ApiProperty({
    oneOf: [{ $ref: getSchemaPath(AnomalyRefDto) }, { $ref: getSchemaPath(MatchDto) }],
    description: 'A match where the type says so',
  })
  item!: AnomalyRefDto | MatchDto;
}

export class OverviewCardsDto {
  @ApiProperty({ type: [AnomalyRefDto] })
  anomalies!: AnomalyRefDto[];

  @ApiProperty({ type: [MatchDto], description: 'Of all metrics' })
  matches!: MatchDto[];

  @ApiProperty({ type: [AnomalyRefDto], description: 'Anomalies that the caller can train now' })
  training!: AnomalyRefDto[];

  @ApiProperty({ type: [OverviewCardDto], description: 'The newest of all three, each item once' })
  all!: OverviewCardDto[];
}

export class OverviewDto {
  @ApiProperty({ type: 'integer' })
  generated_timestamp!: number;

  @ApiProperty({ type: OverviewOnboardingDto })
  onboarding!: OverviewOnboardingDto;

  @ApiProperty({ type: OverviewCountsDto })
  counts!: OverviewCountsDto;

  @ApiProperty({ type: OverviewCardsDto, description: 'The 10 newest each' })
  cards!: OverviewCardsDto;

  @ApiProperty({ type: [AnomalousMetricDto], description: 'The 10 most anomalous of the last 24 hours' })
  worst_metrics!: AnomalousMetricDto[];

  @ApiProperty({ type: [IncidentDto], description: 'The 5 newest that are open' })
  incidents!: IncidentDto[];

  @ApiProperty({ type: [EventDto], description: 'The 20 newest' })
  latest_events!: EventDto[];
}
