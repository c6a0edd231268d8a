import { ApiProperty } from '@nestjs/swagger';
import { UserDto } from '../../../people/user/user.dto.js';
import {
  ADMIN_ALERT_CODES,
  ADMIN_ALERT_STATES,
  type AdminAlertCode,
  type AdminAlertId,
  type AdminAlertState,
} from '../admin-alert.types.js';

export class AdminAlertWayDto {
  @ApiProperty({ enum: ['email', 'sms', 'chat'] })
  method!: 'email' | 'sms' | 'chat';

  @ApiProperty({ type: String, description: 'Id of the user as text, or name of the channel', example: '101' })
  ref!: string;

  @ApiProperty({ type: UserDto, nullable: true, description: 'Null for a channel' })
  user!: UserDto | null;
}

export class AdminAlertDto {
  @ApiProperty({ type: 'integer', minimum: 1, maximum: 5 })
  id!: AdminAlertId;

  @ApiProperty({ enum: ADMIN_ALERT_CODES })
  code!: AdminAlertCode;

  @ApiProperty({ type: String, example: 'All metrics stop receiving data' })
  name!: string;

  @ApiProperty({ type: 'integer', description: 'How long the condition must hold' })
  wait_seconds!: number;

  @ApiProperty({ type: 'integer', description: 'Shortest time between two notices that it is raised' })
  expiration_seconds!: number;

  @ApiProperty({ type: Boolean })
  enabled!: boolean;

  @ApiProperty({ type: Boolean, description: 'Whether it can be switched off' })
  configurable!: boolean;

  @ApiProperty({
    type: [AdminAlertWayDto],
    description: 'Recipients; if none are named, the defaults of the organisation for administrators',
  })
  alerts!: AdminAlertWayDto[];

  @ApiProperty({ type: Boolean, description: 'Whether recipients are named; if false, `alerts` contains the defaults' })
  named!: boolean;

  @ApiProperty({ enum: ADMIN_ALERT_STATES })
  state!: AdminAlertState;

  @ApiProperty({ type: 'integer', nullable: true, description: 'Unix seconds' })
  last_notified_timestamp!: number | null;
}

export class AdminAlertDetailsDto extends AdminAlertDto {
  @ApiProperty({ type: 'integer', nullable: true, description: 'Unix seconds; when the condition began' })
  since_timestamp!: number | null;

  @ApiProperty({ type: 'integer' })
  affected_count!: number;

  @ApiProperty({ type: [String], description: 'Names of metrics, at most 1000' })
  affected_metrics!: string[];

  @ApiProperty({ type: String, description: 'Current problem; empty if there is none' })
  message!: string;
}

export class AdminAlertsDto {
  @ApiProperty({ type: [AdminAlertDto] })
  admin_alerts!: AdminAlertDto[];
}

export class AdminAlertsChangedDto extends AdminAlertsDto {
  @ApiProperty({ type: String, example: 'OK' })
  message!: string;
}

export class AdminAlertAnswerDto {
  @ApiProperty({ type: AdminAlertDetailsDto })
  alert!: AdminAlertDetailsDto;
}

export class AdminAlertRaisedDto extends AdminAlertAnswerDto {
  @ApiProperty({ type: Boolean, description: 'Whether a notice was sent' })
  notified!: boolean;

  @ApiProperty({ type: String, example: 'OK' })
  message!: string;
}
