import { type KnownCaller } from '../../common/auth/caller.js';
import { ApiProperty } from '@nestjs/swagger';
import { EVENT_LEVELS, EVENT_TYPES, type EventLevel, type EventType } from '#libs/contracts';
import { DAY } from '../../common/time.js';

/** An event as areas report it. What is left out is null in the record. */
export interface OrgEvent {
  orgId: number;
  type: EventType;
  level: EventLevel;
  /** The whole story in a sentence or two: the `text` of the record. */
  message: string;
  /** A few words; default: the type in words, "Metric created". */
  title?: string;
  userId?: number;
  metricId?: number;
  /** Name of the metric; looked up when only its id is given. */
  metric?: string;
  anomalyId?: number;
  watcherId?: number;
  ref?: { kind: string; id: string };
  /** Figures and names for machines, JSON; keep it below a few kilobytes. */
  details?: Readonly<Record<string, unknown>>;
  /** Unix seconds; default now. */
  timestamp?: number;
}

/** Events are kept for 400 days. */
export const EVENTS_KEPT_SECONDS = 400 * DAY;

/** `metric_created` → `Metric created` */
export function titleOf(type: EventType): string {
  return type.charAt(0).toUpperCase() + type.slice(1).replaceAll('_', ' ');
}

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

/** Who caused an event, as far as it is a user. */
export const byCaller = (caller: KnownCaller): { userId?: number } =>
  caller.kind === 'user' ? { userId: caller.userId } : {};
