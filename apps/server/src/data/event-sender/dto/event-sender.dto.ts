import { ApiProperty } from '@nestjs/swagger';

export class EventsAcceptedDto {
  @ApiProperty({ type: 'integer', description: 'Events that were counted: the sum of their `count`' })
  accepted!: number;

  @ApiProperty({ type: String, example: 'OK' })
  message!: string;
}
