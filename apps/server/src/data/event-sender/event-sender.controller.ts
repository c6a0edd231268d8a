import { Controller, Get, Header, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Permission } from '#libs/contracts';
import { CurrentCaller, Public, RequirePermissions } from '../../common/auth/access.decorators.js';
import { type KnownCaller } from '../../common/auth/caller.js';
import { ApiEnvelope } from '../../common/envelope/api-envelope.decorator.js';
import { AcceptPlainText, CacheFor, RawResponse } from '../../common/http/answer.decorators.js';
import { RateLimitConfig } from '../../common/http/rate-limit.config.js';
import { RateLimit, rateLimit } from '../../common/http/rate-limits.js';
import { HOUR, MINUTE } from '../../common/time.js';
import { Params } from '../../common/validation/params.decorator.js';
import { EventsAcceptedDto } from './dto/event-sender.dto.js';
import { SendEventsParams } from './dto/event-sender.params.js';
import { EventSenderService } from './event-sender.service.js';
import { SENDER_SCRIPT } from './sender-script.js';

/** Rate limit of calls per token. Kept in memory: there are too many calls per second for a database row. */
const EVENT_SENDER_CALLS = rateLimit({
  name: 'eventSenderCalls',
  config: RateLimitConfig,
  points: (config) => config.eventSender,
  windowSeconds: MINUTE,
  inMemory: true,
});

@ApiTags('ingest')
@Controller('js')
export class EventSenderController {
  constructor(private readonly sender: EventSenderService) {}

  @Post('eventsender')
  @RequirePermissions(Permission.Ingest)
  @RateLimit(EVENT_SENDER_CALLS)
  @AcceptPlainText()
  @ApiOperation({
    summary: 'Count events from web pages',
    description:
      'Adds to the metric `events.` and the name of the event, and the values to `events.`, the name and `.value`. ' +
      'Pages of any origin may call it, with a token that may only send; the body may be `text/plain` with ' +
      '`data.token`. Answers once the events are stored.',
  })
  @ApiEnvelope(EventsAcceptedDto)
  send(@CurrentCaller() caller: KnownCaller, @Params() params: SendEventsParams): Promise<EventsAcceptedDto> {
    return this.sender.send(caller, params);
  }

  @Get('eventsender.js')
  @Public()
  @RawResponse()
  @CacheFor(HOUR, 'public', { etag: true })
  @Header('Content-Type', 'text/javascript; charset=utf-8')
  @Header('Cross-Origin-Resource-Policy', 'cross-origin')
  @Header('Access-Control-Allow-Origin', '*')
  @ApiOperation({
    summary: 'Get the script for web pages that count events',
    description: 'A small script without dependencies; a page of any origin loads it with its token as `data-token`.',
  })
  @ApiOkResponse({ description: 'OK', content: { 'text/javascript': { schema: { type: 'string' } } } })
  script(): string {
    return SENDER_SCRIPT;
  }
}
