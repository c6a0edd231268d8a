import { ApiProperty } from '@nestjs/swagger';
import { BoolParam, EmailParam, RowIdParam, StrParam } from '../../../common/validation/param.decorators.js';
import { SessionDto, UserDto } from '../../../people/user/user.types.js';

export class DemoSignupParams {
  @RowIdParam({ description: 'One of GET /signup/demo-orgs; default the first' })
  demo_org_id?: number;

  @StrParam({ min: 0, max: 100, default: '', description: 'How the visitor wants to be called' })
  user_name!: string;

  @EmailParam({ description: 'Kept only with consent' })
  email?: string;

  @BoolParam({ default: false, description: 'The operator may keep the address and get in touch' })
  consent!: boolean;
}

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
}
