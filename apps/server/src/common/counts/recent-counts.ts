import { ApiProperty } from '@nestjs/swagger';

/** How often something happened recently; answers with counts per period extend it. */
export class RecentCountsDto {
  @ApiProperty({ type: 'integer' })
  last_24h!: number;

  @ApiProperty({ type: 'integer' })
  last_7d!: number;

  @ApiProperty({ type: 'integer' })
  last_30d!: number;
}
