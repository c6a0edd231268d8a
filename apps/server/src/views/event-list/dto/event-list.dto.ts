import { ApiProperty } from '@nestjs/swagger';
import { PageDto } from '../../../common/paging/paging.js';
import { EventDto } from '../../../platform/event/event.dto.js';

export class EventsDto extends PageDto {
  @ApiProperty({ type: [EventDto], description: 'Newest first' })
  events!: EventDto[];

  @ApiProperty({ type: 'integer', format: 'int64' })
  from!: number;

  @ApiProperty({ type: 'integer', format: 'int64' })
  until!: number;
}
