import { ApiProperty } from '@nestjs/swagger';

/** Readiness in the form of InfluxDB 2. */
export class HealthDto {
  @ApiProperty({ type: String, example: 'plumbline' })
  name!: string;

  @ApiProperty({ type: String, enum: ['pass', 'fail'] })
  status!: 'pass' | 'fail';

  @ApiProperty({ type: String, example: 'ready' })
  message!: string;
}

class StatementResultDto {
  @ApiProperty({ type: 'integer', example: 0, description: 'Number of the statement in the query, from 0' })
  statement_id!: number;
}

/** The answer of InfluxDB 1 to a statement without rows. */
export class QueryAnswerDto {
  @ApiProperty({ type: StatementResultDto, isArray: true, description: 'One for each statement' })
  results!: StatementResultDto[];
}

/** An error in the form of InfluxDB 1. */
export class QueryErrorDto {
  @ApiProperty({ type: String, description: 'Why the query is refused, and how to read instead' })
  error!: string;
}
