import { ApiProperty } from '@nestjs/swagger';
import {
  EXCLUSION_CODES,
  type ExclusionCode,
  type ExclusionTypeId,
  type Weekday,
  WEEKDAYS,
} from './exclusion.types.js';

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
