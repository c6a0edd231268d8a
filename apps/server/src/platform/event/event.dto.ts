import { ApiProperty } from '@nestjs/swagger';
import { EVENT_LEVELS, EVENT_TYPES, type EventLevel, type EventType } from '#libs/contracts';

export class EventRefDto {
  @ApiProperty({ type: String, example: 'exclusion' })
  kind!: string;

  @ApiProperty({ type: String, example: '41' })
  id!: string;
}

export class EventDto {
  @ApiProperty({ type: 'integer', format: 'int64' })
  id!: number;

  @ApiProperty({ type: 'integer' })
  timestamp!: number;

  @ApiProperty({ type: String, example: 'October 9th 2025, 10:53' })
  timestamp_string!: string;

  @ApiProperty({ enum: EVENT_TYPES })
  type!: EventType;

  @ApiProperty({ enum: EVENT_LEVELS })
  level!: EventLevel;

  @ApiProperty({ type: String })
  title!: string;

  @ApiProperty({ type: String })
  text!: string;

  @ApiProperty({ type: 'integer', nullable: true })
  user_id!: number | null;

  @ApiProperty({ type: String, nullable: true })
  user_display_name!: string | null;

  @ApiProperty({ type: 'integer', nullable: true, description: 'Also of metrics that were erased since' })
  metric_id!: number | null;

  @ApiProperty({ type: String, nullable: true, description: 'Name of the metric at the time' })
  metric!: string | null;

  @ApiProperty({ type: 'integer', nullable: true })
  anomaly_id!: number | null;

  @ApiProperty({ type: 'integer', nullable: true })
  watcher_id!: number | null;

  @ApiProperty({ type: EventRefDto, nullable: true })
  ref!: EventRefDto | null;

  @ApiProperty({ type: 'object', additionalProperties: true, description: 'Figures and names, by type of event' })
  details!: Record<string, unknown>;
}
