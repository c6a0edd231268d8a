import { ApiProperty } from '@nestjs/swagger';
import {
  THRESHOLD_ALGORITHMS,
  THRESHOLD_FUNCTIONS,
  type ThresholdAlgorithm,
  type ThresholdFunction,
  type ThresholdRule,
} from '#libs/alerting';
import { ANOMALY_KINDS, type AnomalyKind } from '#libs/contracts';
import { AlertDeliveryDto } from '../../../analysis/alert-history/alert-delivery.dto.js';
import { PageDto } from '../../../common/paging/paging.js';
import { UserDto } from '../../../people/user/user.dto.js';
import {
  EXPIRATION_UNITS,
  type ExpirationUnit,
  WATCHER_DIRECTIONS,
  WATCHER_TYPES,
  type WatcherSettings,
  type WatcherType,
} from '../watcher.types.js';

export class ThresholdDto {
  @ApiProperty({ enum: THRESHOLD_ALGORITHMS })
  algorithm!: ThresholdAlgorithm;

  @ApiProperty({ type: Number, nullable: true, description: 'Limit; seconds of silence for no_data' })
  value!: number | null;

  @ApiProperty({ type: Number, nullable: true })
  value_upper!: number | null;

  @ApiProperty({ type: 'integer', minimum: 1, maximum: 60 })
  times_in_a_row!: number;

  @ApiProperty({ enum: THRESHOLD_FUNCTIONS })
  function!: ThresholdFunction;

  @ApiProperty({ type: 'integer', nullable: true })
  function_seconds!: number | null;

  @ApiProperty({ type: Number, nullable: true })
  minimum_avg!: number | null;

  @ApiProperty({ type: 'integer', nullable: true })
  minimum_avg_seconds!: number | null;

  @ApiProperty({ type: Number, nullable: true })
  drop_percent!: number | null;
}

export class AlertUsersDto {
  @ApiProperty({ type: [UserDto] })
  email!: UserDto[];

  @ApiProperty({ type: [UserDto] })
  sms!: UserDto[];

  @ApiProperty({ type: [UserDto] })
  chat_mentions!: UserDto[];
}

export class WatcherBudgetDto {
  @ApiProperty({ type: Number, description: 'Messages a week' })
  wanted!: number;

  @ApiProperty({
    type: Number,
    nullable: true,
    description: 'Messages a week in the last four weeks, computed once a day; null before the first time',
  })
  achieved_4_weeks!: number | null;

  @ApiProperty({ type: 'integer', minimum: 0, maximum: 100, description: 'Lowest severity that alerts now' })
  severity_in_effect!: number;
}

export class WatcherDto {
  @ApiProperty({ type: 'integer' })
  id!: number;

  @ApiProperty({ type: String })
  name!: string;

  @ApiProperty({ enum: WATCHER_TYPES })
  type!: WatcherType;

  @ApiProperty({ type: [String] })
  chips!: readonly string[];

  @ApiProperty({ type: Boolean, description: 'false: a saved view, without alerts' })
  alert!: boolean;

  @ApiProperty({ type: 'integer', description: 'Metrics that the chips select' })
  metrics_count!: number;

  @ApiProperty({ type: 'integer', minimum: 0, maximum: 100 })
  min_severity!: number;

  @ApiProperty({ type: 'integer' })
  min_duration_seconds!: number;

  @ApiProperty({ enum: WATCHER_DIRECTIONS })
  direction!: WatcherSettings['direction'];

  @ApiProperty({ enum: ANOMALY_KINDS, isArray: true, description: 'Empty: all' })
  kinds!: readonly AnomalyKind[];

  @ApiProperty({ type: Number, nullable: true, description: 'Target number of messages a week' })
  alert_budget_per_week!: number | null;

  @ApiProperty({ type: WatcherBudgetDto, nullable: true })
  budget!: WatcherBudgetDto | null;

  @ApiProperty({ type: String, nullable: true })
  chat_channel!: string | null;

  @ApiProperty({ type: String, nullable: true, description: 'Masked for callers without `write`' })
  teams_chat_webhook!: string | null;

  @ApiProperty({ type: Boolean })
  pagerduty!: boolean;

  @ApiProperty({ type: Boolean })
  alertmanager!: boolean;

  @ApiProperty({ type: Boolean })
  webhook!: boolean;

  @ApiProperty({
    type: Boolean,
    description: 'A watcher of a demo without a channel: its messages are recorded, and nothing is sent',
  })
  demo_mailbox!: boolean;

  @ApiProperty({ type: 'integer' })
  expiration_time!: number;

  @ApiProperty({ enum: EXPIRATION_UNITS })
  expiration_time_unit!: ExpirationUnit;

  @ApiProperty({ type: 'integer', description: 'At most one alert per metric in this time' })
  expiration_seconds!: number;

  @ApiProperty({ type: AlertUsersDto })
  alert_users!: AlertUsersDto;

  @ApiProperty({ type: String, nullable: true, example: 'daily-10:00' })
  summary_report_frequency!: string | null;

  @ApiProperty({ type: [UserDto] })
  summary_report_users!: UserDto[];

  @ApiProperty({ type: 'integer', format: 'int64', nullable: true })
  next_summary_timestamp!: number | null;

  @ApiProperty({ type: ThresholdDto, nullable: true, description: 'Of watchers of the type threshold' })
  threshold!: ThresholdDto | null;

  @ApiProperty({ type: 'integer' })
  alerts_last_7_days!: number;

  @ApiProperty({ type: 'integer', format: 'int64', nullable: true })
  last_alert_timestamp!: number | null;

  @ApiProperty({ type: String, example: 'never' })
  last_alert_string!: string;

  @ApiProperty({ type: 'integer', format: 'int64' })
  created_timestamp!: number;

  @ApiProperty({ type: 'integer', nullable: true })
  created_by!: number | null;

  @ApiProperty({ type: 'integer', format: 'int64' })
  updated_timestamp!: number;

  @ApiProperty({ type: Boolean })
  deleted!: boolean;

  @ApiProperty({ type: 'integer', format: 'int64', nullable: true })
  deleted_timestamp!: number | null;
}

export class TestResultDto {
  @ApiProperty({ type: String })
  channel!: string;

  @ApiProperty({ type: String, description: 'Blanked like contact data' })
  recipient!: string;

  @ApiProperty({ type: Boolean })
  ok!: boolean;

  @ApiProperty({ type: String })
  message!: string;
}

export class WatcherSavedDto {
  @ApiProperty({ type: WatcherDto })
  watcher!: WatcherDto;

  @ApiProperty({ type: [String], description: 'Names of metrics that the chips select, up to 1000' })
  metrics!: string[];

  @ApiProperty({ type: 'integer' })
  metrics_count!: number;

  @ApiProperty({ type: [TestResultDto], description: 'Result of the test alert; empty without one' })
  test_results!: TestResultDto[];

  @ApiProperty({ type: String, example: 'OK' })
  message!: string;
}

export class WatcherAnswerDto {
  @ApiProperty({ type: WatcherDto })
  watcher!: WatcherDto;

  @ApiProperty({ type: [String], description: 'Names of metrics that the chips select, up to 1000' })
  metrics!: string[];

  @ApiProperty({ type: [AlertDeliveryDto], description: 'The newest 50' })
  alerts!: AlertDeliveryDto[];
}

export class WatcherRestoredDto {
  @ApiProperty({ type: WatcherDto })
  watcher!: WatcherDto;

  @ApiProperty({ type: String, example: 'OK' })
  message!: string;
}

export class WatchersDto extends PageDto {
  @ApiProperty({ type: [WatcherDto] })
  watchers!: WatcherDto[];
}

export class ChipCompletionDto {
  @ApiProperty({ type: String, example: 'job:api' })
  chip!: string;

  @ApiProperty({ type: 'integer', description: 'Metrics left when the chip is added' })
  metrics_count!: number;
}

export class ChipCompletionsDto {
  @ApiProperty({ type: [ChipCompletionDto] })
  chips!: ChipCompletionDto[];
}

export function thresholdDto(rule: ThresholdRule | null): ThresholdDto | null {
  return (
    rule && {
      algorithm: rule.algorithm,
      value: rule.value,
      value_upper: rule.valueUpper,
      times_in_a_row: rule.timesInARow,
      function: rule.function,
      function_seconds: rule.functionSeconds,
      minimum_avg: rule.minimumAvg,
      minimum_avg_seconds: rule.minimumAvgSeconds,
      drop_percent: rule.dropPercent,
    }
  );
}
