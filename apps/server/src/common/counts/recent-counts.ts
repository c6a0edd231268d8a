import { ApiProperty } from '@nestjs/swagger';

/** How often something happened lately; answers that count by time extend it. */
export class RecentCountsDto {
  @ApiProperty({ type: 'integer' })
  last_24h!: number;

  @ApiProperty({ type: 'integer' })
  last_7d!: number;

  @ApiProperty({ type: 'integer' })
  last_30d!: number;
}
