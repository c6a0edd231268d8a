import { ApiProperty } from '@nestjs/swagger';
import { PageDto } from '../../../common/paging/paging.js';
import { UserDto } from '../../user/user.dto.js';

export class UsersDto extends PageDto {
  @ApiProperty({ type: [UserDto], description: 'By id. A demo user gets only their own record.' })
  users!: UserDto[];
}

export class InvitedUserDto {
  @ApiProperty({ type: UserDto })
  user!: UserDto;

  @ApiProperty({ type: Boolean, description: 'The mail server accepted a mail with the invitation.' })
  invite_sent!: boolean;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The link of the invitation, valid for 7 days, when no mail could be sent: pass it on yourself.',
  })
  invite_url!: string | null;

  @ApiProperty({ type: String, example: 'OK' })
  message!: string;
}

export class OwnAccountDto {
  @ApiProperty({ type: UserDto })
  user!: UserDto;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The new address, until it is confirmed by the mailed link.',
  })
  email_pending!: string | null;

  @ApiProperty({ type: String, example: 'OK' })
  message!: string;
}

export class ConfirmedEmailDto {
  @ApiProperty({ type: UserDto, description: 'With the address that is used from now on.' })
  user!: UserDto;

  @ApiProperty({ type: String, example: 'OK' })
  message!: string;
}

export class RemovedUserDto {
  @ApiProperty({ type: 'integer' })
  user_id!: number;

  @ApiProperty({ type: Boolean, description: 'The organisation is removed as well, and its data is being erased.' })
  org_deleted!: boolean;

  @ApiProperty({ type: String, example: 'OK' })
  message!: string;
}
