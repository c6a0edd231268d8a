import { ApiProperty } from '@nestjs/swagger';
import { SessionDto } from '../../user/user-record.types.js';

export class SsoMethodDto {
  @ApiProperty({ type: String, example: 'Single sign-on', description: 'Name of the button.' })
  label!: string;

  @ApiProperty({ type: String, description: 'Where the browser goes to log in this way.' })
  url!: string;
}

export class LoginMethodsDto {
  @ApiProperty({ type: Boolean })
  password!: boolean;

  @ApiProperty({ type: SsoMethodDto, nullable: true, description: 'Null: not set up.' })
  sso!: SsoMethodDto | null;
}

export class SsoSessionDto {
  @ApiProperty({ type: SessionDto })
  session!: SessionDto;

  @ApiProperty({ type: String, description: 'Makes the client known, as after any login.' })
  client_id!: string;

  @ApiProperty({ type: String, description: 'Page of the console that the login began on.' })
  return_to!: string;

  @ApiProperty({ type: String, example: 'OK' })
  message!: string;
}
