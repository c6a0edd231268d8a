import { ApiProperty } from '@nestjs/swagger';
import { type OnboardingStatusId } from '#libs/contracts';

export class AlertMutingDto {
  @ApiProperty({ type: Boolean })
  muted!: boolean;

  @ApiProperty({ type: 'integer', nullable: true, description: 'Unix seconds; null when not muted' })
  muted_until_timestamp!: number | null;

  @ApiProperty({ type: String, nullable: true, example: 'Thu 09 Oct 2025 @ 10:53 (CEST)' })
  muted_until_timestamp_string!: string | null;

  @ApiProperty({ type: 'integer', nullable: true, description: 'Rounded up; null when not muted' })
  minutes_remaining!: number | null;
}

export class ConnectedServicesDto {
  @ApiProperty({ type: Boolean })
  chat!: boolean;

  @ApiProperty({ type: Boolean })
  teams_chat!: boolean;
}

export class OrgDto {
  @ApiProperty({ type: 'integer' })
  id!: number;

  @ApiProperty({ type: String })
  name!: string;

  @ApiProperty({ type: String, example: 'Europe/Oslo' })
  timezone!: string;

  @ApiProperty({ type: AlertMutingDto })
  alert_muting!: AlertMutingDto;

  @ApiProperty({
    enum: [1, 100, 200, 300],
    description: '1 nothing received yet, 100 receiving, 200 learning, 300 live. Never falls back.',
  })
  onboarding_status_id!: OnboardingStatusId;

  @ApiProperty({ type: ConnectedServicesDto })
  connected_services!: ConnectedServicesDto;
}

export class AnalysisVariablesDto {
  @ApiProperty({ type: 'integer', example: 60 })
  retention_1_resolution_seconds!: number;

  @ApiProperty({ type: 'integer', example: 604_800 })
  retention_1_period_seconds!: number;

  @ApiProperty({ type: 'integer', example: 600 })
  retention_2_resolution_seconds!: number;

  @ApiProperty({ type: 'integer', example: 63_072_000 })
  retention_2_period_seconds!: number;

  @ApiProperty({ type: 'integer', example: 60 })
  default_data_frequency_seconds!: number;

  @ApiProperty({ type: 'integer', example: 86_400 })
  default_analysis_period_1_seconds!: number;

  @ApiProperty({ type: 'integer', example: 604_800 })
  default_analysis_period_2_seconds!: number;

  @ApiProperty({ type: 'integer', example: 2_592_000 })
  long_term_pattern_length_seconds!: number;

  @ApiProperty({ type: 'integer', nullable: true, description: 'null = no cap' })
  metric_limit!: number | null;
}
