import { Controller, Get, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { type Response } from 'express';
import { Permission } from '#libs/contracts';
import { CurrentCaller, RequirePermissions } from '../../common/auth/access.decorators.js';
import { type KnownCaller } from '../../common/auth/caller.js';
import { RawResponse } from '../../common/http/answer.decorators.js';
import { type EdgeRequest } from '../../common/http/request-context.js';
import { Params } from '../../common/validation/params.decorator.js';
import { StreamParams } from './dto/stream.params.js';
import { STREAM_EVENTS_SCHEMA } from './stream-events.schema.js';
import { StreamService } from './stream.service.js';

@ApiTags('org')
@Controller()
export class StreamController {
  constructor(private readonly streams: StreamService) {}

  @Get('stream')
  @RequirePermissions(Permission.Read)
  @RawResponse()
  @ApiOperation({
    summary: 'Listen to what happens',
    description:
      'Server-sent events, in the order of their commits: anomalies, incidents, matches, patterns, alerts, thresholds, ' +
      'jobs and settings as they change. Records are as they are when they are sent. A client that reconnects with ' +
      '`Last-Event-ID` is sent what it missed, or a `resync` event: then it has to load everything again. A comment ' +
      'is sent every 15 seconds; an `end` event says why the stream ends: `credential_ended`, `too_slow` or ' +
      '`server_stopping`.',
  })
  @ApiOkResponse({ description: 'OK', content: { 'text/event-stream': { schema: STREAM_EVENTS_SCHEMA } } })
  listen(
    @CurrentCaller() caller: KnownCaller,
    @Params() params: StreamParams,
    @Req() request: EdgeRequest,
    @Res() response: Response,
  ): Promise<void> {
    return this.streams.listen(caller, params, { request, response });
  }
}
