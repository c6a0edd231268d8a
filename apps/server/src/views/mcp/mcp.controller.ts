import { Controller, Post, Req } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Permission } from '#libs/contracts';
import { CurrentCaller, RequirePermissions } from '../../common/auth/access.decorators.js';
import { type KnownCaller } from '../../common/auth/caller.js';
import { AcceptRawBody, RawResponse } from '../../common/http/answer.decorators.js';
import { RawBody } from '../../common/http/answer.js';
import { type ForeignAnswer } from '../../common/http/foreign-answer.js';
import { type EdgeRequest } from '../../common/http/request-context.js';
import { McpEndpointService } from './mcp-endpoint.service.js';

/** For assistants. JSON-RPC has a separate description (`tools/list`), so the API description omits it. */
@ApiExcludeController()
@Controller('mcp')
export class McpController {
  constructor(private readonly endpoint: McpEndpointService) {}

  @Post()
  @RequirePermissions(Permission.Read)
  @AcceptRawBody()
  @RawResponse()
  answer(
    @CurrentCaller() caller: KnownCaller,
    @Req() request: EdgeRequest,
    @RawBody() body: Buffer,
  ): Promise<ForeignAnswer> {
    return this.endpoint.answer(caller, request, body);
  }
}
