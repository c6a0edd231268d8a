import { ApiProperty } from '@nestjs/swagger';

/** A metric that may have been the cause, in stored and displayed form. */
export class IncidentOrigin {
  @ApiProperty({ type: 'integer', description: '1 is the likeliest' })
  rank!: number;

  @ApiProperty({ type: 'integer' })
  metric_id!: number;

  @ApiProperty({ type: String })
  metric!: string;

  @ApiProperty({ type: 'integer' })
  anomaly_id!: number;

  @ApiProperty({ type: Number, description: '0..1; of all metrics of the incident together at most 1' })
  likelihood!: number;

  @ApiProperty({ type: String, example: 'started first and leads 9 of 11 others by 60 s' })
  reason!: string;
}
