import { ApiProperty } from '@nestjs/swagger';

/** An error in the form of Prometheus. */
export class PrometheusErrorDto {
  @ApiProperty({ type: String, enum: ['error'] })
  status!: 'error';

  @ApiProperty({
    type: String,
    description:
      'bad_data, execution, timeout, not_found, unauthorized, forbidden, too_many_requests, unavailable or internal',
  })
  errorType!: string;

  @ApiProperty({ type: String, description: 'What is wrong, and what to do instead' })
  error!: string;
}

/** An answer in the form of Prometheus. */
export class PrometheusAnswerDto {
  @ApiProperty({ type: String, enum: ['success'] })
  status!: 'success';

  @ApiProperty({ type: Object, description: 'As the HTTP API of Prometheus has it for this call' })
  data!: object;

  @ApiProperty({ type: String, isArray: true, required: false, description: 'Only when there are some' })
  warnings?: string[];
}
