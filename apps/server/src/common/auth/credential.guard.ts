import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { type Response } from 'express';
import { AnswerHead } from '../http/answer.js';
import { contextOf, type EdgeRequest } from '../http/request-context.js';
import { ACCESS_RULE, type AccessRule } from './access.decorators.js';
import { Credentials } from './credentials.js';

/** First guard: fills `request.caller`. It refuses nothing; the access guard does. */
@Injectable()
export class CredentialGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly credentials: Credentials,
  ) {}

  async canActivate(execution: ExecutionContext): Promise<boolean> {
    const http = execution.switchToHttp();
    const request = http.getRequest<EdgeRequest>();
    const rule = this.reflector.getAllAndOverride<AccessRule | undefined>(ACCESS_RULE, [
      execution.getHandler(),
      execution.getClass(),
    ]);
    request.caller = { kind: 'anonymous' };
    if (rule?.kind === 'ingest') return true;
    const isSigned = rule?.kind === 'permissions' && rule.signedUrl && request.query.sig !== undefined;
    const { caller, findings } = isSigned
      ? await this.credentials.identifySigned(request)
      : await this.credentials.identify(request);
    request.caller = caller;
    contextOf(request).credential = findings;
    if (caller.kind === 'user' && findings.sessionSource === 'cookie' && caller.renewCookieSeconds !== undefined) {
      new AnswerHead(request, http.getResponse<Response>()).startSession(caller.sessionId, caller.renewCookieSeconds);
    }
    return true;
  }
}
