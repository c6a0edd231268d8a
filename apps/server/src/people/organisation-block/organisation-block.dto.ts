import { ApiProperty } from '@nestjs/swagger';
import { AnalysisVariablesDto, OrgDto } from '../org/org.dto.js';
import { UserDto } from '../user/user.dto.js';

export class OrgPropertiesDto {
  @ApiProperty({ type: String, description: 'Empty when unset; masked for callers who are not administrators.' })
  chat_api_token!: string;

  @ApiProperty({ type: String, example: '#ops' })
  default_chat_channel!: string;
}

/** Defaults for watchers without recipients; the `admin_` lists get administrative alerts without named recipients. */
export class AlertRecipientsDto {
  @ApiProperty({ type: [UserDto] })
  email!: UserDto[];

  @ApiProperty({ type: [UserDto] })
  admin_email!: UserDto[];

  @ApiProperty({ type: [UserDto] })
  chat_mentions!: UserDto[];

  @ApiProperty({ type: [UserDto] })
  sms!: UserDto[];

  @ApiProperty({ type: [UserDto] })
  admin_sms!: UserDto[];
}

/** Addresses of the service, for agents and people. */
export class EnvironmentDto {
  @ApiProperty({ type: String, example: 'https://HOST/ingest/metrics' })
  ingest_url!: string;

  @ApiProperty({ type: String, example: 'https://HOST' })
  ingest_origin!: string;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'null while no Graphite listener runs',
    example: 'HOST:2003',
  })
  graphite_address!: string | null;

  @ApiProperty({ type: String, example: 'https://HOST/api' })
  api_url!: string;

  @ApiProperty({ type: String, example: 'https://HOST/' })
  console_url!: string;
}

export class OrganisationBlockDto {
  @ApiProperty({ type: OrgDto })
  org!: OrgDto;

  @ApiProperty({ type: OrgPropertiesDto })
  properties!: OrgPropertiesDto;

  @ApiProperty({ type: AlertRecipientsDto })
  alert_recipients!: AlertRecipientsDto;

  @ApiProperty({ type: [UserDto] })
  admin_users!: UserDto[];

  @ApiProperty({ type: AnalysisVariablesDto })
  analysis_variables!: AnalysisVariablesDto;

  @ApiProperty({ type: EnvironmentDto })
  environment!: EnvironmentDto;

  @ApiProperty({ type: String, example: 'OK' })
  message!: string;
}
