import { ApiProperty } from '@nestjs/swagger';
import { SIGNUP_MODES, type SignupModeName } from '../../signup/signup.types.js';

export class SsoMethodDto {
  @ApiProperty({ type: Boolean, description: 'Set up here' })
  enabled!: boolean;

  @ApiProperty({ type: String, example: 'Single sign-on', description: 'Name of the button.' })
  label!: string;

  @ApiProperty({ type: String, description: 'Address to which the browser goes for this login.' })
  url!: string;
}

export class LoginMethodsDto {
  @ApiProperty({ type: Boolean })
  password!: boolean;

  @ApiProperty({ type: SsoMethodDto })
  sso!: SsoMethodDto;

  @ApiProperty({
    enum: SIGNUP_MODES,
    description:
      'Who can create an organisation: everyone (`open`), the first user while there is none (`first`), no one (`closed`).',
  })
  signup!: SignupModeName;

  @ApiProperty({ type: Boolean, description: 'Visitors may look at a demo without an account (POST /signup/demo)' })
  demo!: boolean;

  @ApiProperty({
    type: Boolean,
    description: 'The installation sends mail. Without it, links for a new password are in the log of the server.',
  })
  mail!: boolean;
}
