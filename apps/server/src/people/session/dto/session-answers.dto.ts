import { ApiProperty } from '@nestjs/swagger';
import { SessionDto, UserDto } from '../../user/user.dto.js';

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

/** The answer of an act without a result. */
export class DoneDto {
  @ApiProperty({ type: String, example: 'OK' })
  message!: string;
}

export class LogoutDto {
  @ApiProperty({ type: String, example: 'OK' })
  message!: string;
}

export class OwnSessionDto {
  @ApiProperty({ type: String, description: 'Handle of the session that is not secret', example: '5f0c91d2ab34e678' })
  ref!: string;

  @ApiProperty({ type: Boolean, description: 'The session of this call' })
  current!: boolean;

  @ApiProperty({ type: 'integer', description: 'Unix seconds' })
  created_timestamp!: number;

  @ApiProperty({ type: 'integer', description: 'Unix seconds, accurate to a minute' })
  last_used_timestamp!: number;

  @ApiProperty({ type: String, nullable: true, description: 'Network address of the login', example: '192.0.2.4' })
  address!: string | null;

  @ApiProperty({ type: String, nullable: true, description: 'User-Agent of the client, shortened' })
  client!: string | null;
}

export class OwnSessionsDto {
  @ApiProperty({ type: [OwnSessionDto], description: 'The last used first' })
  sessions!: OwnSessionDto[];
}
