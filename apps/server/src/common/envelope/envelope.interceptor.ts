import {
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  StreamableFile,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { createHash } from 'node:crypto';
import { type Response } from 'express';
import { map, type Observable } from 'rxjs';
import { CACHE_RULE, type CacheRule, RAW_RESPONSE } from '../http/answer.decorators.js';
import { SeeOther } from '../http/see-other.js';
import { type EdgeRequest } from '../http/request-context.js';
import { StatusBlocks } from './status-blocks.js';

/**
 * Wraps the result of a handler into `{status, data}`, always; never for `@RawResponse()`. Sets the caching headers.
 */
@Injectable()
export class EnvelopeInterceptor implements NestInterceptor {
  constructor(
    private readonly reflector: Reflector,
    private readonly statusBlocks: StatusBlocks,
  ) {}

  intercept(execution: ExecutionContext, next: CallHandler): Observable<unknown> {
    const targets = [execution.getHandler(), execution.getClass()];
    const isRaw = this.reflector.getAllAndOverride<boolean | undefined>(RAW_RESPONSE, targets) === true;
    const cacheRule = this.reflector.getAllAndOverride<CacheRule | undefined>(CACHE_RULE, targets);
    const request = execution.switchToHttp().getRequest<EdgeRequest>();
    const response = execution.switchToHttp().getResponse<Response>();
    return next.handle().pipe(
      map((data: unknown) => {
        if (cacheRule) setCacheHeaders(response, cacheRule, data);
        if (isRaw || data instanceof StreamableFile || data instanceof SeeOther) return data;
        return { status: this.statusBlocks.create(request, 200), data: data ?? null };
      }),
    );
  }
}

/**
 * The ETag is weak and computed from the data alone: the status block differs in every answer. Express answers the 304.
 */
function setCacheHeaders(response: Response, rule: CacheRule, data: unknown): void {
  response.setHeader('Cache-Control', `${rule.visibility}, max-age=${String(rule.seconds)}`);
  if (!rule.etag) return;
  const content = typeof data === 'string' || Buffer.isBuffer(data) ? data : JSON.stringify(data ?? null);
  response.setHeader('ETag', `W/"${createHash('sha256').update(content).digest('base64url')}"`);
}
