import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { type Response } from 'express';
import { Gauge } from 'prom-client';
import { CredentialGuard } from '../auth/credential.guard.js';
import { isDecidedByBody } from '../auth/credentials.js';
import { ServerConfig } from '../config/server.config.js';
import { ByteBudget } from '../fair-share/byte-budget.js';
import { byOrg } from '../fair-share/org-figures.js';
import { MetricsRegistry } from '../telemetry/metrics.js';
import { LARGE_BODY_BYTES, parsedBody, type SentBody } from './body-parsing.js';
import { readSent } from './body-stream.js';
import { MalformedBodyError, OverloadedError } from './http.errors.js';
import { LargeBodyReader } from './large-body-reader.js';
import { partyOf, RateLimitGuard } from './rate-limit.guard.js';
import { contextOf, type EdgeRequest, type ExpectedBody } from './request-context.js';

/** Share of the memory for file-sized bodies: the rest is for logins and all other calls. */
const UPLOADS_PART = 0.5;
/** Share of both for bodies of unknown callers. */
const UNAUTHENTICATED_SHARE = 0.25;

/**
 * Third guard: reads the body after it is known whose it is, and that the caller has requests left. `request.body` is
 * an object afterwards. The memory of all bodies is bounded, and shared between organisations, until their requests are
 * answered. A credential may be in the body: in that case the guard looks up the caller again, and counts the request
 * for that caller.
 */
@Injectable()
export class BodyGuard implements CanActivate {
  private readonly budgets: Readonly<Record<'plain' | 'upload', ByteBudget>>;

  constructor(
    private readonly config: ServerConfig,
    private readonly credentials: CredentialGuard,
    private readonly limits: RateLimitGuard,
    private readonly large: LargeBodyReader,
    metrics: MetricsRegistry,
  ) {
    const budgetOf = (part: number) =>
      new ByteBudget({ limitBytes: part * config.maxHeldBodyBytes, unauthenticatedShare: UNAUTHENTICATED_SHARE });
    this.budgets = { plain: budgetOf(1 - UPLOADS_PART), upload: budgetOf(UPLOADS_PART) };
    this.registerFigures(metrics);
  }

  async canActivate(execution: ExecutionContext): Promise<boolean> {
    const request = execution.switchToHttp().getRequest<EdgeRequest>();
    const { expectedBody } = contextOf(request);
    if (expectedBody) {
      const bytes = await this.read(request, execution.switchToHttp().getResponse<Response>(), expectedBody);
      const { kind, isUpload } = expectedBody;
      if (kind === 'raw') contextOf(request).rawBody = bytes;
      else request.body = await this.bodyOf(request, bytes, { kind, isUpload });
      if (isDecidedByBody(request)) {
        await this.credentials.canActivate(execution);
        await this.limits.countAgain(execution);
      }
    }
    this.credentials.renewCookie(execution);
    if (contextOf(request).route?.access?.kind !== 'ingest') contextOf(request).party = partyOf(request);
    return true;
  }

  private registerFigures({ prometheus }: MetricsRegistry): void {
    const budgets = Object.entries(this.budgets);
    new Gauge({
      name: 'plumbline_api_body_held_bytes',
      help: 'Bytes of the bodies of API requests that are being received or answered at this moment',
      registers: [prometheus],
      collect() {
        this.set(budgets.reduce((sum, [, { heldBytes }]) => sum + heldBytes, 0));
      },
    });
    new Gauge({
      name: 'plumbline_api_body_org_held_bytes',
      help: 'Of these, bytes of the organisations that hold most, and of all `other` (addresses without credential are there)',
      labelNames: ['body', 'org'],
      registers: [prometheus],
      collect() {
        this.reset();
        for (const [body, { holders, heldBytes }] of budgets) {
          for (const [org, bytes] of byOrg(holders, heldBytes)) this.set({ body, org }, bytes);
        }
      },
    });
  }

  private async read(request: EdgeRequest, response: Response, expected: ExpectedBody): Promise<Buffer> {
    const { maxBytes, isUpload } = expected;
    const share = this.budgets[isUpload ? 'upload' : 'plain'].open(partyOf(request));
    if (request.caller && request.caller.kind !== 'anonymous') share.identified();
    response.once('close', () => share.release());
    const { bodyIdleSeconds, bodySeconds } = this.config;
    const timeouts = { idleSeconds: bodyIdleSeconds, wholeSeconds: bodySeconds };
    const full = () => {
      // The rest of the body is discarded.
      response.setHeader('Connection', 'close');
      return new OverloadedError('Too many bodies are being read at the same time.');
    };
    return (await readSent(request, { maxBytes, share, timeouts, full })).bytes;
  }

  /**
   * A missing permission must be reported before faults of the body, so this waits for the access guard. The body of an
   * unknown caller might have contained a credential: its faults are reported directly.
   */
  private async bodyOf(
    request: EdgeRequest,
    bytes: Buffer,
    sent: Pick<SentBody, 'kind' | 'isUpload'>,
  ): Promise<object> {
    try {
      return await this.parsed(request, bytes, sent);
    } catch (error) {
      if (!(error instanceof MalformedBodyError) || (request.caller?.kind ?? 'anonymous') === 'anonymous') throw error;
      contextOf(request).bodyFault = error;
      return {};
    }
  }

  /** @throws MalformedBodyError; OverloadedError, ClientGoneError for large ones */
  private async parsed(
    request: EdgeRequest,
    bytes: Buffer,
    { kind, isUpload }: Pick<SentBody, 'kind' | 'isUpload'>,
  ): Promise<object> {
    const sent = { bytes, kind, isUpload, contentType: request.headers['content-type'] ?? '' };
    return bytes.length > LARGE_BODY_BYTES ? this.large.read(partyOf(request), sent) : parsedBody(sent);
  }
}
