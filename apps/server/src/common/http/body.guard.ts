import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { type Response } from 'express';
import { Gauge } from 'prom-client';
import { CredentialGuard } from '../auth/credential.guard.js';
import { isDecidedByBody } from '../auth/credentials.js';
import { ServerConfig } from '../config/server.config.js';
import { ByteBudget } from '../fair-share/byte-budget.js';
import { MetricsRegistry } from '../telemetry/metrics.js';
import { MAX_UPLOAD_CONTAINERS, parsedForm, parsedJson } from './body-parsing.js';
import { readSent } from './body-stream.js';
import { OverloadedError } from './http.errors.js';
import { parsedMultipart } from './multipart.js';
import { partyOf, RateLimitGuard } from './rate-limit.guard.js';
import { contextOf, type EdgeRequest, type ExpectedBody } from './request-context.js';

/** Part of the memory for bodies of callers that are not known. */
const STRANGERS_PART = 0.25;

/**
 * Third guard: reads the body, now that it is known whose it is, and that the caller has requests left. `request.body` is
 * an object afterwards. What is held of all bodies is bounded, shared by organisations, until their requests are answered.
 * A credential may be in the body: then the caller is looked up again, and the request counted for that one.
 */
@Injectable()
export class BodyGuard implements CanActivate {
  private readonly budget: ByteBudget;

  constructor(
    private readonly config: ServerConfig,
    private readonly credentials: CredentialGuard,
    private readonly limits: RateLimitGuard,
    metrics: MetricsRegistry,
  ) {
    const budget = new ByteBudget({ limitBytes: config.maxHeldBodyBytes, strangersPart: STRANGERS_PART });
    this.budget = budget;
    new Gauge({
      name: 'plumbline_api_body_held_bytes',
      help: 'Bytes of the bodies of API requests that are being received or answered at this moment',
      registers: [metrics.prometheus],
      collect() {
        this.set(budget.heldBytes);
      },
    });
  }

  async canActivate(execution: ExecutionContext): Promise<boolean> {
    const request = execution.switchToHttp().getRequest<EdgeRequest>();
    const { expectedBody } = contextOf(request);
    if (expectedBody) {
      const bytes = await this.read(request, execution.switchToHttp().getResponse<Response>(), expectedBody);
      if (expectedBody.kind === 'raw') contextOf(request).rawBody = bytes;
      else request.body = parsed(bytes, expectedBody, request.headers['content-type'] ?? '');
      if (isDecidedByBody(request)) {
        await this.credentials.canActivate(execution);
        await this.limits.countAgain(execution);
      }
    }
    this.credentials.renewCookie(execution);
    if (contextOf(request).route?.access?.kind !== 'ingest') contextOf(request).party = partyOf(request);
    return true;
  }

  private async read(request: EdgeRequest, response: Response, { maxBytes }: ExpectedBody): Promise<Buffer> {
    const share = this.budget.open(partyOf(request));
    if (request.caller && request.caller.kind !== 'anonymous') share.identified();
    response.once('close', () => share.release());
    const { bodyIdleSeconds, bodySeconds } = this.config;
    const patience = { idleSeconds: bodyIdleSeconds, wholeSeconds: bodySeconds };
    const full = () => {
      // The rest of the body has no place to go.
      response.setHeader('Connection', 'close');
      return new OverloadedError('Too many bodies are being read at the same time.');
    };
    return (await readSent(request, { maxBytes, share, patience, full })).bytes;
  }
}

/** @throws MalformedBodyError */
function parsed(bytes: Buffer, { kind, isUpload }: ExpectedBody, contentType: string): object {
  if (kind === 'multipart') return parsedMultipart(bytes, contentType);
  if (kind === 'form') return parsedForm(bytes);
  return isUpload ? parsedJson(bytes, MAX_UPLOAD_CONTAINERS) : parsedJson(bytes);
}
