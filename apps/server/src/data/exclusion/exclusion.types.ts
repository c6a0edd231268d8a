import { ApiProperty } from '@nestjs/swagger';
import { type Chip } from '../chips/chips.js';
import { WEEKDAYS, type Weekday } from './weekdays.js';

export { WEEKDAYS, type Weekday };

export const EXCLUSION_CODES = ['analysis', 'learning', 'stale_alert', 'alerting'] as const;
export type ExclusionCode = (typeof EXCLUSION_CODES)[number];
export type ExclusionTypeId = 1 | 2 | 3 | 4;

/** The type that keeps data out altogether. */
export const ANALYSIS_TYPE_ID: ExclusionTypeId = 1;

/** The type under which anomalies are recorded and no alerts are sent. */
export const ALERTING_TYPE_ID: ExclusionTypeId = 4;

/** Times in Unix seconds. */
export interface Exclusion {
  id: number;
  orgId: number;
  typeId: ExclusionTypeId;
  chips: readonly Chip[];
  reason: string;
  fromTimestamp: number | null;
  untilTimestamp: number | null;
  recurrence: Recurrence | null;
  createdTimestamp: number;
  createdBy: number | null;
}

/** An exclusion that is not stored yet. */
export type WantedExclusion = Omit<Exclusion, 'id' | 'createdTimestamp'>;

/** Weekly, from `start` (`HH:MM` in the organisation's zone) on each of the days, for so many seconds. */
export interface Recurrence {
  days: readonly Weekday[];
  start: string;
  durationSeconds: number;
}

export class ExclusionTypeDto {
  @ApiProperty({ type: 'integer', minimum: 1, maximum: 4 })
  id!: ExclusionTypeId;

  @ApiProperty({ enum: EXCLUSION_CODES })
  code!: ExclusionCode;

  @ApiProperty({ type: String, example: 'Maintenance window' })
  name!: string;

  @ApiProperty({ type: String })
  description!: string;

  @ApiProperty({ type: Boolean, description: 'May be limited to times' })
  schedulable!: boolean;
}

export class RecurrenceDto {
  @ApiProperty({ enum: WEEKDAYS, isArray: true })
  days!: Weekday[];

  @ApiProperty({ type: String, example: '22:00' })
  start!: string;

  @ApiProperty({ type: 'integer' })
  duration_seconds!: number;

  @ApiProperty({ type: String, example: 'Europe/Oslo' })
  timezone!: string;
}

export class ExclusionDto {
  @ApiProperty({ type: 'integer' })
  id!: number;

  @ApiProperty({ type: 'integer', minimum: 1, maximum: 4 })
  type_id!: ExclusionTypeId;

  @ApiProperty({ enum: EXCLUSION_CODES })
  type!: ExclusionCode;

  @ApiProperty({ type: [String], description: 'Chips as typed' })
  chips!: string[];

  @ApiProperty({ type: String, example: 'nightly run' })
  reason!: string;

  @ApiProperty({ type: 'integer', description: 'Metrics that the chips select now, removed ones left out' })
  metrics_count!: number;

  @ApiProperty({ type: 'integer', nullable: true })
  from_timestamp!: number | null;

  @ApiProperty({ type: 'integer', nullable: true })
  until_timestamp!: number | null;

  @ApiProperty({ type: RecurrenceDto, nullable: true })
  recurrence!: RecurrenceDto | null;

  @ApiProperty({ type: Boolean, description: 'In force now' })
  active!: boolean;

  @ApiProperty({ type: 'integer' })
  created_timestamp!: number;

  @ApiProperty({ type: 'integer', nullable: true })
  created_by!: number | null;

  @ApiProperty({ type: String, nullable: true })
  created_by_display_name!: string | null;
}
