import { ApiProperty } from '@nestjs/swagger';
import { SessionDto } from '../../user/user.dto.js';

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
