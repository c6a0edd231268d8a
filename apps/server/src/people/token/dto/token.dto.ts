import { ApiProperty } from '@nestjs/swagger';
import { type PermissionFlags, toFlags } from '#libs/contracts';
import { masked } from '../../../common/secrets/secrets.js';
import { secondsOf } from '../../../common/time.js';
import { type TokenEntity } from '../token.entity.js';

export class PermissionsDto implements PermissionFlags {
  @ApiProperty({ type: Boolean })
  read!: boolean;

  @ApiProperty({ type: Boolean })
  write!: boolean;

  @ApiProperty({ type: Boolean })
  alert!: boolean;

  @ApiProperty({ type: Boolean })
  ingest!: boolean;

  @ApiProperty({ type: Boolean })
  admin!: boolean;
}

export class TokenDto {
  @ApiProperty({
    type: String,
    description: 'Only the last four characters of the token, unless it was just made or `reveal` is set.',
    example: '************9f2c',
  })
  id!: string;

  @ApiProperty({ type: 'integer' })
  org_id!: number;

  @ApiProperty({ type: 'integer', nullable: true, description: 'Unix seconds; null = no expiry' })
  valid_until!: number | null;

  @ApiProperty({ type: PermissionsDto })
  permissions!: PermissionsDto;

  @ApiProperty({ type: 'integer', description: 'Handle of the same token that is not secret' })
  ref!: number;

  @ApiProperty({ type: String })
  name!: string;

  @ApiProperty({ type: 'integer', description: 'Unix seconds' })
  created_timestamp!: number;

  @ApiProperty({ type: 'integer', nullable: true })
  created_user_id!: number | null;

  @ApiProperty({ type: 'integer', nullable: true, description: 'Unix seconds, accurate to 5 minutes' })
  last_used_timestamp!: number | null;
}

/** The Token record. `text` is the token itself, null when its copy cannot be opened any more. */
export function toTokenDto(token: TokenEntity, text: string | null, whole: boolean): TokenDto {
  return {
    id: whole && text !== null ? text : masked(text ?? ''),
    org_id: token.orgId,
    valid_until: secondsOrNull(token.validUntil),
    permissions: toFlags(token.permissions),
    ref: token.ref,
    name: token.name,
    created_timestamp: secondsOrNull(token.createdAt) ?? 0,
    created_user_id: token.createdUserId,
    last_used_timestamp: secondsOrNull(token.lastUsedAt),
  };
}

const secondsOrNull = (date: Date | null): number | null => (date === null ? null : secondsOf(date));
