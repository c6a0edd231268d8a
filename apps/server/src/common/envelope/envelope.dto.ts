import { ApiProperty } from '@nestjs/swagger';
import { ONBOARDING_EXTRA_FLAGS, ONBOARDING_FLAGS } from '#libs/contracts';

const flagProperties = (names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, { type: 'boolean' as const }]));

class TimezoneBlockDto {
  @ApiProperty({ enum: [3] })
  timezone_type!: 3;

  @ApiProperty({ description: "Zone of the caller's organisation, else UTC.", example: 'Europe/Oslo' })
  timezone!: string;
}

/** Documentation of the `status` block; `libs/contracts` has its type. */
export class StatusBlockDto {
  @ApiProperty({ type: 'integer', description: 'Unix seconds.' })
  created_timestamp!: number;

  @ApiProperty({ example: 'Tue 12 Jul 2022 @ 15:01 (UTC)' })
  created_string!: string;

  @ApiProperty({ description: 'Seconds spent on the answer, 3 decimals.', example: 0.021 })
  duration!: number;

  @ApiProperty({ example: 'en-gb' })
  language!: string;

  @ApiProperty({ type: TimezoneBlockDto })
  timezone!: TimezoneBlockDto;

  @ApiProperty({ type: 'integer', description: 'Equals the HTTP status.', example: 200 })
  code!: number;

  @ApiProperty({
    type: 'integer',
    minimum: 0,
    maximum: 3600,
    description: 'Seconds; 0 when nothing came from a cache.',
  })
  oldest_cached_component_age!: number;

  @ApiProperty({ pattern: '^[0-9a-f]{32}$' })
  session_id!: string;

  @ApiProperty({ type: 'integer', enum: [1, 100, 200, 300] })
  org_onboarding_status_id!: number;

  @ApiProperty({ description: 'Name of the process that answered.' })
  api_host!: string;

  @ApiProperty({
    type: 'object',
    properties: flagProperties([...ONBOARDING_FLAGS, ...ONBOARDING_EXTRA_FLAGS]),
    required: [...ONBOARDING_FLAGS],
    additionalProperties: false,
  })
  user_onboarding_flags!: Record<string, boolean>;
}

class ErrorDetailDto {
  @ApiProperty({ description: 'Parameter name as sent; dotted for nested JSON.' })
  field!: string;

  @ApiProperty()
  code!: string;

  @ApiProperty()
  message!: string;
}

class ErrorBodyDto {
  @ApiProperty({ example: 'validation_failed' })
  code!: string;

  @ApiProperty({ type: [ErrorDetailDto] })
  details!: ErrorDetailDto[];
}

class ErrorDataDto {
  @ApiProperty({ description: 'Text for people.' })
  message!: string;

  @ApiProperty({ type: ErrorBodyDto })
  error!: ErrorBodyDto;
}

/** The answer of every error on an enveloped path. */
export class ErrorEnvelopeDto {
  @ApiProperty({ type: StatusBlockDto })
  status!: StatusBlockDto;

  @ApiProperty({ type: ErrorDataDto })
  data!: ErrorDataDto;
}
