import { ApiProperty } from '@nestjs/swagger';
import { dateTime } from '../../../common/display/display.js';
import { PageDto } from '../../../common/paging/paging.js';
import { secondsOf } from '../../../common/time.js';
import { type AuditEntryRow } from '../audit-list.repository.js';
import { AUDIT_ACTOR_TYPES, type AuditActorType, type Json } from '../../../platform/audit/audit.types.js';

/** Any JSON value. */
const JSON_VALUE = {
  anyOf: [
    { type: 'string', nullable: true },
    { type: 'number' },
    { type: 'boolean' },
    { type: 'array', items: {} },
    { type: 'object', additionalProperties: true },
  ],
};

export class AuditActorDto {
  @ApiProperty({
    enum: AUDIT_ACTOR_TYPES,
    description:
      '`system` is the service itself, `operator` a person with access to the command line of the installation',
  })
  type!: AuditActorType;

  @ApiProperty({ type: 'integer', nullable: true, description: 'Also of users that were removed since' })
  user_id!: number | null;

  @ApiProperty({ type: String, description: 'As it was at the time' })
  display_name!: string;

  @ApiProperty({ type: 'integer', nullable: true })
  token_ref!: number | null;
}

export class AuditObjectDto {
  @ApiProperty({ type: String, example: 'token' })
  type!: string;

  @ApiProperty({ type: String, example: '7' })
  id!: string;

  @ApiProperty({ type: String, description: 'As it was at the time' })
  name!: string;
}

export class AuditChangeDto {
  @ApiProperty({ type: String, example: 'permissions' })
  field!: string;

  @ApiProperty({ ...JSON_VALUE, description: 'Null when there was nothing, and for secrets' })
  before!: Json;

  @ApiProperty({ ...JSON_VALUE, description: 'Null when there is nothing any more; "changed" for secrets' })
  after!: Json;
}

export class AuditEntryDto {
  @ApiProperty({ type: 'integer', format: 'int64' })
  id!: number;

  @ApiProperty({ type: 'integer' })
  timestamp!: number;

  @ApiProperty({ type: String, example: 'October 9th 2025, 10:53' })
  timestamp_string!: string;

  @ApiProperty({ type: AuditActorDto })
  actor!: AuditActorDto;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Address that the request came from',
    example: '192.0.2.4',
  })
  ip!: string | null;

  @ApiProperty({ type: String, example: 'token.create' })
  action!: string;

  @ApiProperty({ type: AuditObjectDto })
  object!: AuditObjectDto;

  @ApiProperty({ type: [AuditChangeDto] })
  changes!: AuditChangeDto[];

  @ApiProperty({ type: String, nullable: true })
  request_id!: string | null;
}

export class AuditEntriesDto extends PageDto {
  @ApiProperty({ type: [AuditEntryDto], description: 'Newest first' })
  entries!: AuditEntryDto[];

  @ApiProperty({ type: 'integer', format: 'int64' })
  from!: number;

  @ApiProperty({ type: 'integer', format: 'int64' })
  until!: number;
}

export function toAuditEntryDto(entry: AuditEntryRow, timezone: string): AuditEntryDto {
  const timestamp = secondsOf(entry.happenedAt);
  return {
    id: Number(entry.id),
    timestamp,
    timestamp_string: dateTime(timestamp, timezone),
    actor: {
      type: entry.actorType,
      user_id: entry.actorUserId,
      display_name: entry.actorName,
      token_ref: entry.actorTokenRef,
    },
    ip: entry.ip,
    action: entry.action,
    object: { type: entry.objectType, id: entry.objectId, name: entry.objectName },
    changes: [...entry.changes],
    request_id: entry.requestId,
  };
}
