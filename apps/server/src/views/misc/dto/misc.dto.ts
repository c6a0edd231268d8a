import { ApiProperty } from '@nestjs/swagger';

export class PhoneCodeDto {
  @ApiProperty({ type: String, example: 'Norway' })
  country!: string;

  @ApiProperty({ type: String, example: 'NO', description: 'ISO 3166-1 alpha-2' })
  iso!: string;

  @ApiProperty({ type: String, example: '+47' })
  code!: string;
}

export class PhoneCodesDto {
  @ApiProperty({ type: [PhoneCodeDto] })
  phone_codes!: PhoneCodeDto[];
}

export class TimezoneDto {
  @ApiProperty({ type: String, example: 'Europe/Oslo' })
  name!: string;

  @ApiProperty({ type: 'integer', example: 3600, description: 'Offset from UTC at present' })
  offset_seconds!: number;

  @ApiProperty({ type: String, example: 'Europe/Oslo (UTC+01:00)' })
  label!: string;
}

export class TimezonesDto {
  @ApiProperty({ type: [TimezoneDto] })
  timezones!: TimezoneDto[];
}

export class TimeSinceDto {
  @ApiProperty({ type: 'integer', format: 'int64' })
  timestamp!: number;

  @ApiProperty({ type: 'integer', description: 'Now minus the timestamp' })
  seconds!: number;

  @ApiProperty({ type: String, example: '5 minutes ago' })
  string!: string;
}

export class PingDto {
  @ApiProperty({ type: String, example: 'pong' })
  ping!: string;
}
