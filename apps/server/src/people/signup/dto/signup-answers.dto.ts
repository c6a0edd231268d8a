import { ApiProperty } from '@nestjs/swagger';
import { SessionDto, UserDto } from '../../user/user.dto.js';

export class SelfServeDto {
  @ApiProperty({ type: UserDto })
  user!: UserDto;

  @ApiProperty({
    type: Boolean,
    description: 'A mail with the link was sent; if false, the link is in the log of the server.',
  })
  verification_sent!: boolean;

  @ApiProperty({ type: String, example: 'OK' })
  message!: string;
}

export class VerifiedDto {
  @ApiProperty({ type: SessionDto })
  session!: SessionDto;

  @ApiProperty({ type: String, example: 'OK' })
  message!: string;
}
