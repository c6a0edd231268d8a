import { ApiProperty } from '@nestjs/swagger';
import { type ErrorDetail } from '#libs/contracts';

/** A secret that was removed because the address that it was stored for has changed. */
export class SecretNeededDto implements ErrorDetail {
  @ApiProperty({ type: String, example: 'password' })
  field!: string;

  @ApiProperty({ type: String, example: 'secret_needed' })
  code!: string;

  @ApiProperty({ type: String })
  message!: string;
}
