import { ApiProperty } from '@nestjs/swagger';
import { type OnboardingFlag } from '#libs/contracts';
import { OrgDto } from '../org/org.dto.js';
import { USER_STATES, type UserState } from './user.types.js';

export class NotificationsDto {
  @ApiProperty({ type: Boolean })
  email_alerts!: boolean;
}

export class OnboardingFlagsDto implements Record<OnboardingFlag, boolean> {
  @ApiProperty({ type: Boolean })
  main_intro!: boolean;

  @ApiProperty({ type: Boolean })
  alerts_intro!: boolean;

  @ApiProperty({ type: Boolean })
  alerts_from_search!: boolean;

  @ApiProperty({ type: Boolean })
  training_intro!: boolean;

  @ApiProperty({ type: Boolean })
  alert_created!: boolean;

  @ApiProperty({ type: Boolean })
  test_alert_sent!: boolean;

  @ApiProperty({ type: Boolean })
  two_alerts_sent!: boolean;

  @ApiProperty({ type: Boolean })
  pattern_trained!: boolean;
}

export class UserDto {
  @ApiProperty({ type: 'integer' })
  id!: number;

  @ApiProperty({ type: 'integer' })
  org_id!: number;

  @ApiProperty({ type: String, description: 'May be empty.' })
  name!: string;

  @ApiProperty({ type: String, description: 'Empty for callers who may not see it.' })
  email!: string;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'E.164; empty when unset, null for callers who may not see it.',
    example: '+4799999999',
  })
  phone_number!: string | null;

  @ApiProperty({ type: String, nullable: true })
  chat_member_id!: string | null;

  @ApiProperty({ type: Boolean })
  demo!: boolean;

  @ApiProperty({ type: Boolean })
  admin!: boolean;

  @ApiProperty({ type: OrgDto })
  org!: OrgDto;

  @ApiProperty({ type: NotificationsDto })
  notifications!: NotificationsDto;

  @ApiProperty({ type: OnboardingFlagsDto })
  onboarding_flags!: OnboardingFlagsDto;

  @ApiProperty({ enum: USER_STATES })
  state!: UserState;

  @ApiProperty({ type: 'integer', nullable: true, description: 'Unix seconds' })
  last_login_timestamp!: number | null;
}

/** The session member of answers. */
export class SessionDto {
  @ApiProperty({ type: String, example: '0f9c2b7e5d1a4c3e8b6f7a9d2c1e4f50' })
  id!: string;

  @ApiProperty({ type: UserDto })
  user!: UserDto;
}
