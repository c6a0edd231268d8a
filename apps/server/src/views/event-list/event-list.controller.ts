import { Controller } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Permission } from '#libs/contracts';
import { CurrentCaller, RequirePermissions } from '../../common/auth/access.decorators.js';
import { type KnownCaller } from '../../common/auth/caller.js';
import { ApiEnvelope } from '../../common/envelope/api-envelope.decorator.js';
import { Throws } from '../../common/errors/throws.decorator.js';
import { Fetch } from '../../common/http/fetch.decorator.js';
import { Params } from '../../common/validation/params.decorator.js';
import { EventsDto } from './dto/event-list.dto.js';
import { ListEventsParams } from './dto/event-list.params.js';
import { EventListService } from './event-list.service.js';

@ApiTags('org')
@Controller('org')
export class EventListController {
  constructor(private readonly events: EventListService) {}

  @Fetch('events')
  @RequirePermissions(Permission.Read)
  @Throws('not_found')
  @ApiOperation({
    summary: 'List what happened in the organisation',
    description:
      'Events such as opened anomalies, new metrics and refused data, the newest first. Types and levels ' +
      'narrow the list.',
  })
  @ApiEnvelope(EventsDto)
  list(@CurrentCaller() caller: KnownCaller, @Params() params: ListEventsParams): Promise<EventsDto> {
    return this.events.list(caller, params);
  }
}
