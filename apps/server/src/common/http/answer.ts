import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { type Request, type Response } from 'express';
import { contextOf } from './request-context.js';

export const SESSION_COOKIE = 'session_id';

/** Setting of the HTTP application: the public address is https, whatever the protocol of the last hop. */
export const SECURE_COOKIES = 'secure cookies';

/** Properties of an answer that a handler may set, apart from the data. */
export class AnswerHead {
  constructor(
    private readonly request: Request,
    private readonly response: Response,
  ) {}

  /** Issues a session: in the cookie and as `status.session_id`. `lifetimeSeconds` is the idle lifetime. */
  startSession(sessionId: string, lifetimeSeconds: number): void {
    contextOf(this.request).startedSessionId = sessionId;
    this.setCookie(SESSION_COOKIE, sessionId, lifetimeSeconds);
  }

  /** Removes the session cookie; the status block shows a throw-away id. */
  endSession(): void {
    contextOf(this.request).startedSessionId = contextOf(this.request).temporarySessionId();
    this.setCookie(SESSION_COOKIE, '', 0);
  }

  /** A secret that the browser stores and sends back. Scripts cannot read it. */
  setBrowserCookie(name: string, value: string, lifetimeSeconds: number): void {
    this.setCookie(name, value, lifetimeSeconds);
  }

  /** A part of the answer came from a cache; the status block shows the age of the oldest one. */
  usedCache(ageSeconds: number): void {
    const context = contextOf(this.request);
    context.oldestCachedAgeSeconds = Math.max(context.oldestCachedAgeSeconds, ageSeconds);
  }

  /** For answers without envelope, such as the type of a picture. */
  setHeader(name: string, value: string): void {
    this.response.setHeader(name, value);
  }

  removeHeader(name: string): void {
    this.response.removeHeader(name);
  }

  private setCookie(name: string, value: string, lifetimeSeconds: number): void {
    const secure = this.request.secure || this.request.app.get(SECURE_COOKIES) === true;
    const maxAge = lifetimeSeconds * 1000;
    this.response.cookie(name, value, { path: '/', httpOnly: true, sameSite: 'lax', secure, maxAge });
  }
}

/** The headers and status of the answer to this request. */
export const Answer = createParamDecorator((_: unknown, context: ExecutionContext): AnswerHead => {
  const http = context.switchToHttp();
  return new AnswerHead(http.getRequest<Request>(), http.getResponse<Response>());
});

/** The bytes of the body, on a route with `@AcceptRawBody()`; empty without one. */
export const RawBody = createParamDecorator((_: unknown, context: ExecutionContext): Buffer => {
  return contextOf(context.switchToHttp().getRequest<Request>()).rawBody ?? Buffer.alloc(0);
});

/** The value of a cookie; undefined if it is absent or empty. */
export function readCookie(request: Request, name: string): string | undefined {
  for (const pair of (request.headers.cookie ?? '').split(';')) {
    const at = pair.indexOf('=');
    if (at > 0 && pair.slice(0, at).trim() === name) {
      const value = pair.slice(at + 1).trim();
      return value === '' ? undefined : value;
    }
  }
  return undefined;
}
