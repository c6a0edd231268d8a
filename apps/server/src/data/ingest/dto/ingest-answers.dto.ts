import { ApiProperty } from '@nestjs/swagger';
import { REFUSAL_REASONS } from '#libs/contracts';

class IngestErrorDetailDto {
  @ApiProperty({ type: String })
  field!: string;

  @ApiProperty({ type: String })
  code!: string;

  @ApiProperty({ type: String })
  message!: string;
}

/** The error body of the ingest paths. */
export class IngestErrorDto {
  @ApiProperty({ type: 'integer', example: 401 })
  code!: number;

  @ApiProperty({ type: String, example: 'not_authenticated' })
  error!: string;

  @ApiProperty({ type: String })
  message!: string;

  @ApiProperty({ type: IngestErrorDetailDto, isArray: true })
  details!: IngestErrorDetailDto[];
}

/** The error body of the OpenTelemetry paths (`google.rpc.Status`), in the encoding of the request. */
export class RpcStatusDto {
  @ApiProperty({ type: 'integer', example: 16, description: 'google.rpc.Code' })
  code!: number;

  @ApiProperty({ type: String })
  message!: string;
}

class UnreadLineDto {
  @ApiProperty({ type: 'integer', nullable: true, example: 3, description: 'From 1; null in a body without lines' })
  line!: number | null;

  @ApiProperty({
    type: String,
    description: 'The member, the rule that it breaks and the given value (at most 40 characters), for people',
    example: 'column "latency": "10.8 %" has the unit %; send the number alone',
  })
  problem!: string;
}

class RefusedMetricDto {
  @ApiProperty({ type: String, example: 'web-1.cpu' })
  metric!: string;

  @ApiProperty({ type: 'integer', enum: [400, 403, 429] })
  status!: number;

  @ApiProperty({ type: 'integer' })
  accepted!: number;

  @ApiProperty({ type: 'integer' })
  refused!: number;

  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'integer' },
    example: { too_old: 2 },
    description: `Points by reason: ${REFUSAL_REASONS.join(', ')}`,
  })
  reasons!: Record<string, number>;
}

/** The outcome for a body of which a part was not stored. */
export class IngestReportDto {
  @ApiProperty({ type: 'integer', example: 207 })
  code!: number;

  @ApiProperty({ type: String, example: 'partially_refused' })
  error!: string;

  @ApiProperty({ type: String })
  message!: string;

  @ApiProperty({ type: 'integer' })
  submitted!: number;

  @ApiProperty({ type: 'integer' })
  accepted!: number;

  @ApiProperty({ type: 'integer' })
  refused!: number;

  @ApiProperty({ type: 'integer' })
  refused_metrics_count!: number;

  @ApiProperty({ type: Boolean, description: 'Only the first 1000 metrics are listed' })
  truncated!: boolean;

  @ApiProperty({ type: RefusedMetricDto, isArray: true, description: 'Metrics with refused points' })
  metrics!: RefusedMetricDto[];

  @ApiProperty({
    type: UnreadLineDto,
    isArray: true,
    description: 'The first three lines, or other places of the body, that could not be read',
  })
  lines!: UnreadLineDto[];
}
