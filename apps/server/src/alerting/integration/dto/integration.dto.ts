import { ApiProperty } from '@nestjs/swagger';
import { SecretNeededDto } from '../../../common/secrets/secret-needed.dto.js';
import { SERVICE_CATEGORIES, type ServiceCategory } from '../service-definition.types.js';
import { FIELD_TYPES, type FieldType, type FieldValue } from '../service-fields.types.js';

const VALUE = {
  nullable: true,
  oneOf: [
    { type: 'string' },
    { type: 'number' },
    { type: 'boolean' },
    { type: 'array', items: { oneOf: [{ type: 'string' }, { type: 'number' }] } },
    { type: 'object', additionalProperties: { type: 'string' } },
  ],
};

const PROPERTIES = { type: 'object', additionalProperties: VALUE, example: { smtp_port: 587 } } as const;

const FIELD_SOURCES = ['org', 'instance', 'default', 'user'] as const;
export type FieldSource = (typeof FIELD_SOURCES)[number];

export class ServiceDto {
  @ApiProperty({ type: String, example: 'chat' })
  id!: string;

  @ApiProperty({ type: String, example: 'Chat' })
  name!: string;

  @ApiProperty({ type: String, example: 'Slack', description: 'Who provides the service or protocol.' })
  provider!: string;

  @ApiProperty({ enum: SERVICE_CATEGORIES })
  category!: ServiceCategory;

  @ApiProperty({ type: Boolean, description: 'Alerts can be sent through it, or data has arrived from it.' })
  connected!: boolean;

  @ApiProperty({ type: Boolean, description: 'It has settings of the organisation.' })
  has_org_config!: boolean;

  @ApiProperty({ type: Boolean, description: 'It has settings of each user.' })
  has_user_config!: boolean;

  @ApiProperty({ type: Boolean, description: 'A test message can be sent through it.' })
  testable!: boolean;

  @ApiProperty({ type: String })
  description!: string;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'When it last accepted a message, accurate to a minute.',
  })
  last_ok_timestamp!: number | null;

  @ApiProperty({ type: String, nullable: true, description: 'Why it did not accept the last message.' })
  last_error!: string | null;
}

export class ConfigFieldDto {
  @ApiProperty({ type: String, example: 'chat_api_token' })
  key!: string;

  @ApiProperty({ type: String, example: 'Bot token' })
  label!: string;

  @ApiProperty({ enum: FIELD_TYPES })
  type!: FieldType;

  @ApiProperty({ type: Boolean, description: 'Without it the service is not connected.' })
  required!: boolean;

  @ApiProperty({ type: String })
  help!: string;

  @ApiProperty({ type: [String], description: 'Values that can be chosen; empty: any value.' })
  options!: readonly string[];

  @ApiProperty(VALUE)
  default!: FieldValue | null;

  @ApiProperty({ ...VALUE, description: 'Current value; secrets are masked.' })
  value!: FieldValue | null;

  @ApiProperty({ enum: FIELD_SOURCES, description: 'Who set the value; `instance`: the operator.' })
  source!: FieldSource;
}

export class SnippetDto {
  @ApiProperty({ type: String, example: 'prometheus.yml' })
  title!: string;

  @ApiProperty({ type: String, example: 'yaml' })
  language!: string;

  @ApiProperty({ type: String, description: '`YOUR_TOKEN` stands for a token.' })
  code!: string;
}

export class ServiceListDto {
  @ApiProperty({ type: [ServiceDto] })
  services!: ServiceDto[];
}

export class ServiceConfigDto {
  @ApiProperty({ type: ServiceDto })
  service!: ServiceDto;

  @ApiProperty({ type: [ConfigFieldDto] })
  fields!: ConfigFieldDto[];

  @ApiProperty({ type: String, description: 'Markdown.' })
  instructions!: string;

  @ApiProperty({ type: [SnippetDto] })
  snippets!: readonly SnippetDto[];
}

export class ServicePropertiesDto {
  @ApiProperty({ ...PROPERTIES, description: 'Current values; secrets are masked.' })
  properties!: Record<string, FieldValue | null>;

  @ApiProperty({ type: ServiceDto })
  service!: ServiceDto;
}

export class ServiceChangedDto extends ServicePropertiesDto {
  @ApiProperty({ type: String, example: 'OK' })
  message!: string;

  @ApiProperty({
    type: [SecretNeededDto],
    description: 'secret_needed: a secret that was stored for another address is removed and must be given again',
  })
  details!: SecretNeededDto[];
}

export class ServiceTestedDto {
  @ApiProperty({ type: Boolean, description: 'Whether the service accepted the message.' })
  ok!: boolean;

  @ApiProperty({ type: String, example: 'The test message was accepted.' })
  message!: string;

  @ApiProperty({ type: Number })
  duration_seconds!: number;
}
