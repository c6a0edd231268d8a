import { ApiProperty } from '@nestjs/swagger';
import { SessionDto, UserDto } from '../../user/user-record.types.js';

export class CodeRequestDto {
  @ApiProperty({ type: 'integer', description: 'Unix seconds' })
  expires_timestamp!: number;

  @ApiProperty({ type: String, example: 'a**@example.org' })
  sent_to!: string;
}

export class LoginDto {
  @ApiProperty({ type: Boolean, description: 'A code has been sent, and the login awaits it.' })
  validation_required!: boolean;

  @ApiProperty({ type: SessionDto, nullable: true })
  session!: SessionDto | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Present it at later logins, as cookie or in X-Client-Id: a known client needs no code.',
  })
  client_id!: string | null;

  @ApiProperty({ type: CodeRequestDto, nullable: true })
  validation!: CodeRequestDto | null;

  @ApiProperty({ type: String, example: 'OK' })
  message!: string;
}

export class OwnUserDto {
  @ApiProperty({ type: UserDto })
  user!: UserDto;

  @ApiProperty({ type: SessionDto })
  session!: SessionDto;
}

export class UserPingDto {
  @ApiProperty({ enum: ['pong'] })
  ping!: 'pong';

  @ApiProperty({ type: SessionDto, nullable: true })
  session!: SessionDto | null;

  @ApiProperty({ type: 'integer', description: 'Unix seconds' })
  server_timestamp!: number;

  @ApiProperty({ type: String, example: 'Tue 12 Jul 2022 @ 15:01 (UTC)' })
  local_time_string!: string;
}

export class ValidatedLoginDto {
  @ApiProperty({ type: SessionDto })
  session!: SessionDto;

  @ApiProperty({
    type: String,
    description: 'Present it at later logins, as cookie or in X-Client-Id: a known client needs no code.',
  })
  client_id!: string;

  @ApiProperty({ type: String, example: 'OK' })
  message!: string;
}

/** An act that answers nothing but that it is done. */
export class DoneDto {
  @ApiProperty({ type: String, example: 'OK' })
  message!: string;
}

export class LogoutDto {
  @ApiProperty({ type: String, example: 'OK' })
  message!: string;
}
