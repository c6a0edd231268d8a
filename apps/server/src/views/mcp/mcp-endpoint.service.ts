import { createMcpHandler, type McpHttpHandler } from '@modelcontextprotocol/server';
import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { isFromForeignSite } from '../../common/auth/access.guard.js';
import { CrossSiteRefusedError, NotAuthenticatedError } from '../../common/auth/auth.errors.js';
import { type KnownCaller, type TokenCaller } from '../../common/auth/caller.js';
import { ServerConfig } from '../../common/config/server.config.js';
import { parsedContainer } from '../../common/http/body-parsing.js';
import { ForeignAnswer } from '../../common/http/foreign-answer.js';
import { MalformedBodyError } from '../../common/http/http.errors.js';
import { Links } from '../../common/http/links.js';
import { API_REQUESTS } from '../../common/http/rate-limit.config.js';
import { limitKeyOf } from '../../common/http/rate-limit.guard.js';
import { RateLimits } from '../../common/http/rate-limits.js';
import { contextOf, type EdgeRequest } from '../../common/http/request-context.js';
import { McpServersService } from './mcp-servers.service.js';
import { type ToolCall } from './mcp-tool.types.js';

/** Clients of the revision 2025-03-26 may send several messages in one request. */
const MAX_BATCH = 10;
/** Arguments of tools are small. */
const MAX_CONTAINERS = 1000;
const TRANSPORT_HEADER = /^(accept|content-type|mcp-[a-z0-9-]+)$/;

/**
 * The Model Context Protocol over HTTP, without sessions: each request is answered independently, for clients of the
 * revision 2026-07-28 and of those of 2025 alike.
 */
@Injectable()
export class McpEndpointService implements OnApplicationShutdown {
  private readonly logger = new Logger('MCP');
  private readonly handler: McpHttpHandler;

  constructor(
    servers: McpServersService,
    private readonly limits: RateLimits,
    private readonly links: Links,
    private readonly config: ServerConfig,
  ) {
    this.handler = createMcpHandler(({ authInfo }) => servers.create(authInfo?.extra?.call as ToolCall), {
      legacy: 'stateless',
      // The served lists do not change: there is nothing to subscribe to.
      maxSubscriptions: 0,
      onerror: (error) => this.logger.debug(error.message),
    });
  }

  onApplicationShutdown(): Promise<void> {
    return this.handler.close();
  }

  /**
   * @throws CrossSiteRefusedError for a request from a page of another site; NotAuthenticatedError for a session;
   * MalformedBodyError; RateLimitedError
   */
  async answer(caller: KnownCaller, request: EdgeRequest, body: Buffer): Promise<ForeignAnswer> {
    // Browsers send the site of a request, even if its name was made to resolve to this server (DNS rebinding).
    if (isFromForeignSite(this.config, request)) throw new CrossSiteRefusedError();
    if (caller.kind !== 'token') throw new NotAuthenticatedError();
    const parsedBody = body.length === 0 ? undefined : parsedContainer(body, MAX_CONTAINERS);
    const limitKey = limitKeyOf(request);
    if (Array.isArray(parsedBody)) await this.countBatch(parsedBody, limitKey);
    const authInfo = { token: '', clientId: clientOf(caller), scopes: ['read'], extra: { call: { caller, limitKey } } };
    const response = await this.handler.fetch(this.webRequest(request), { authInfo, parsedBody });
    const answer = Buffer.from(await response.arrayBuffer());
    return new ForeignAnswer(response.status, Object.fromEntries(response.headers), answer);
  }

  /** The request itself has already been counted. */
  private async countBatch({ length }: readonly unknown[], limitKey: string): Promise<void> {
    if (length > MAX_BATCH) throw new MalformedBodyError(`A batch has at most ${String(MAX_BATCH)} messages.`);
    if (length > 1) await this.limits.consume(API_REQUESTS, limitKey, length - 1);
  }

  /** The parts of a request that the transport needs; credentials are not passed on. */
  private webRequest(request: EdgeRequest): Request {
    const headers = Object.entries(request.headers).filter(([name]) => TRANSPORT_HEADER.test(name));
    return new Request(this.links.console('/mcp'), {
      method: 'POST',
      headers: headers.map(([name, value]): [string, string] => [name, String(value)]),
      signal: contextOf(request).gone,
    });
  }
}

function clientOf({ org, tokenRef }: TokenCaller): string {
  return `org ${String(org.id)} token ${String(tokenRef)}`;
}
