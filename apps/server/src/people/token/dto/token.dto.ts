import { ApiProperty } from '@nestjs/swagger';
import { type PermissionFlags } from '#libs/contracts';

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
    description: 'Only the last four characters of the token, unless it was just created or `reveal` is set.',
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
