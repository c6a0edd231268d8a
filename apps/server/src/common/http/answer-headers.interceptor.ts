import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { type Response } from 'express';
import { type Observable } from 'rxjs';
import { ACCESS_RULE, type AccessRule } from '../auth/access.decorators.js';
import { SUCCESSOR } from './answer.decorators.js';
import { Links } from './links.js';
import { type EdgeRequest } from './request-context.js';
import { holdsControlCharacters } from '../validation/param-text.js';

/** Headers from the declarations of a route: its successor, and whether other sites may load it. */
@Injectable()
export class AnswerHeadersInterceptor implements NestInterceptor {
  constructor(
    private readonly reflector: Reflector,
    private readonly links: Links,
  ) {}

  intercept(execution: ExecutionContext, next: CallHandler): Observable<unknown> {
    const targets = [execution.getHandler(), execution.getClass()];
    const request = execution.switchToHttp().getRequest<EdgeRequest>();
    const response = execution.switchToHttp().getResponse<Response>();
    const rule = this.reflector.getAllAndOverride<AccessRule | undefined>(ACCESS_RULE, targets);
    if (rule?.kind === 'permissions' && rule.signedUrl) {
      // Pictures and graphs are embedded in mails, chats and dashboards of other origins; the signature protects them.
      response.setHeader('Cross-Origin-Resource-Policy', 'cross-origin');
    }
    const successor = this.reflector.getAllAndOverride<string | undefined>(SUCCESSOR, targets);
    if (successor !== undefined) {
      response.setHeader('Deprecation', 'true');
      response.setHeader('Link', `<${this.links.api(fillIn(successor, request))}>; rel="successor-version"`);
    }
    return next.handle();
  }
}

/** Maximum length of a value that is put into an address. */
const MAX_PART_LENGTH = 1024;

/** Replaces the `:names` of a path with parameters of the request; a name without value stays as `{name}`. */
function fillIn(path: string, request: EdgeRequest): string {
  const body = (request.body ?? {}) as Record<string, unknown>;
  return path.replace(/:([a-z_]+)/g, (_, name: string) => {
    const value: unknown = request.params[name] ?? request.query[name] ?? body[name];
    return isPart(value) ? encodeURIComponent(value) : `{${name}}`;
  });
}

/** The values are not validated yet: an unpaired surrogate cannot be encoded, and the length of a header is limited. */
function isPart(value: unknown): value is string | number {
  if (typeof value === 'number') return true;
  return typeof value === 'string' && value.length <= MAX_PART_LENGTH && !holdsControlCharacters(value);
}
