import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { type Response } from 'express';
import { isFromOwnSite } from '../../common/auth/access.guard.js';
import { type UserCaller } from '../../common/auth/caller.js';
import { presentedSession } from '../../common/auth/credentials.js';
import { type ServerConfig } from '../../common/config/server.config.js';
import { AnswerHead, readCookie } from '../../common/http/answer.js';
import { contextOf, type EdgeRequest } from '../../common/http/request-context.js';
import { type LoginClient } from './session.types.js';

/** The cookie of a known browser, so that later logins from it need no code. */
const CLIENT_COOKIE = 'client_id';
/** Maximum length of the stored User-Agent of a client. */
const MAX_USER_AGENT = 200;

class HttpLoginClient implements LoginClient {
  readonly address: string | undefined;
  readonly userAgent: string | undefined;
  readonly clientId: string | undefined;
  readonly sessionId: string | undefined;
  readonly presentedId: string | undefined;
  private readonly head: AnswerHead;

  constructor(
    private readonly request: EdgeRequest,
    response: Response,
  ) {
    this.address = contextOf(request).address;
    this.userAgent = request.get('user-agent')?.slice(0, MAX_USER_AGENT);
    this.clientId = request.get('x-client-id') ?? readCookie(request, CLIENT_COOKIE);
    this.sessionId = request.caller?.kind === 'user' ? request.caller.sessionId : undefined;
    this.presentedId = presentedSession(request)?.id;
    this.head = new AnswerHead(request, response);
  }

  mayUsePresented(config: ServerConfig): boolean {
    return presentedSession(this.request)?.source !== 'cookie' || isFromOwnSite(config, this.request);
  }

  /** The rest of the answer, especially its status block, is for the new caller. */
  enter(caller: UserCaller, sessionSeconds: number): void {
    this.request.caller = caller;
    this.head.startSession(caller.sessionId, sessionSeconds);
  }

  remember(clientId: string, clientSeconds: number): void {
    this.head.setBrowserCookie(CLIENT_COOKIE, clientId, clientSeconds);
  }

  awaitCode(sessionId: string, sessionSeconds: number): void {
    this.request.caller = { kind: 'anonymous' };
    this.head.startSession(sessionId, sessionSeconds);
  }

  signOut(): void {
    this.request.caller = { kind: 'anonymous' };
    this.head.endSession();
  }
}

/** The client of a call that starts or ends a session. */
export const CurrentClient = createParamDecorator((_: unknown, context: ExecutionContext): LoginClient => {
  const http = context.switchToHttp();
  return new HttpLoginClient(http.getRequest<EdgeRequest>(), http.getResponse<Response>());
});
