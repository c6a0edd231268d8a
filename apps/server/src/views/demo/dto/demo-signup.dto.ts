import { ApiProperty } from '@nestjs/swagger';
import { SessionDto, UserDto } from '../../../people/user/user.dto.js';

export class DemoOrgDto {
  @ApiProperty({ type: 'integer' })
  id!: number;

  @ApiProperty({ type: String, example: 'Demo factory' })
  name!: string;

  @ApiProperty({ type: String })
  description!: string;

  @ApiProperty({ type: String, example: 'Europe/Berlin' })
  timezone!: string;

  @ApiProperty({ type: 'integer' })
  metrics_count!: number;
}

export class DemoOrgsDto {
  @ApiProperty({ type: [DemoOrgDto] })
  orgs!: DemoOrgDto[];
}

export class DemoSignupDto {
  @ApiProperty({ type: UserDto })
  user!: UserDto;

  @ApiProperty({ type: SessionDto })
  session!: SessionDto;

  @ApiProperty({ type: String, example: 'OK' })
  message!: string;
}
