import { type CanActivate, createParamDecorator, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { type Request, type Response } from 'express';
import { type JsonBody, readJsonBody } from '#libs/protocols';
import { missingPermissions, Permission } from '#libs/contracts';
import { PermissionDeniedError, TokenExpiredError } from '../common/auth/auth.errors.js';
import { CredentialDirectory, type TokenCaller } from '../common/auth/caller.js';
import { AppError } from '../common/errors/app-error.js';
import { setRateLimitHeaders } from '../common/http/rate-limit.guard.js';
import { RateLimits } from '../common/http/rate-limits.js';
import { type BodyRule, checkHead, readBody } from './ingest-body.js';
import { headerToken, presentedToken } from './ingest-credentials.js';
import { IngestConfig } from './ingest.config.js';
import { parserError } from './ingest.errors.js';
import { IngestService } from './ingest.service.js';
import { type ReceivedBody } from './ingest.types.js';

/** Metadata: the BodyRule of an ingest route. */
export const BODY_RULE = Symbol('ingest body rule');

type IngestRequest = Request & { received?: ReceivedBody };

const MAX_TOKEN_LENGTH = 200;

class IngestTokenMissingError extends AppError {
  constructor() {
    super(
      'not_authenticated',
      'Sending data needs a token with the permission "ingest", in X-Auth-Token or Authorization.',
    );
  }
}

/**
 * Lets a body in: type and size, sender, its permission, its limit of requests. In this order, except that a body must
 * be read to find a token inside it; where the token is in a header, nothing is read for a stranger.
 */
@Injectable()
export class IngestGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly directory: CredentialDirectory,
    private readonly limits: RateLimits,
    private readonly config: IngestConfig,
    private readonly ingest: IngestService,
  ) {}

  async canActivate(execution: ExecutionContext): Promise<boolean> {
    const http = execution.switchToHttp();
    const request = http.getRequest<IngestRequest>();
    const rule = this.reflector.get<BodyRule>(BODY_RULE, execution.getHandler());
    const encoding = checkHead(request, rule, this.config);
    const early = headerToken(request);
    const sender = early === undefined ? undefined : await this.identify(early);
    const bytes = await readBody(request, encoding, this.config);
    const json = rule.types.includes('application/json') ? this.readJson(bytes) : null;
    const caller = sender ?? (await this.identify(presentedToken(request, json?.switches.key ?? null)));
    const limitKey = `token:${String(caller.org.id)}:${String(caller.tokenRef)}`;
    setRateLimitHeaders(http.getResponse<Response>(), await this.limits.consume('ingestRequests', limitKey));
    const validateKey = json?.switches.validateKey ?? false;
    if (!validateKey && missingPermissions(caller.permissions, Permission.Ingest).length > 0) {
      throw new PermissionDeniedError('ingest');
    }
    const { precision } = request.query;
    request.received = {
      caller,
      limitKey,
      bytes,
      json,
      validateKey,
      test: isOn(request.get('x-test-only')) || json?.switches.test === true,
      backfill: json?.switches.backfill ?? (isOn(request.get('x-backfill')) || isOn(request.query.backfill)),
      precision: typeof precision === 'string' && precision !== '' ? precision : undefined,
    };
    return true;
  }

  private readJson(bytes: Uint8Array): JsonBody {
    try {
      return readJsonBody(bytes, this.config.maxPoints);
    } catch (error) {
      throw parserError(error);
    }
  }

  private async identify(token: string | undefined): Promise<TokenCaller> {
    if (token === undefined || token.length > MAX_TOKEN_LENGTH) throw new IngestTokenMissingError();
    const found = await this.ingest.storing(() => this.directory.findToken(token));
    if (found === 'expired') throw new TokenExpiredError();
    if (found === 'unknown') throw new IngestTokenMissingError();
    return found;
  }
}

/** The body that the guard has let in. */
export const Received = createParamDecorator((_: unknown, execution: ExecutionContext): ReceivedBody => {
  const { received } = execution.switchToHttp().getRequest<IngestRequest>();
  if (!received) throw new Error('@Received() needs @IngestRoute()');
  return received;
});

const isOn = (value: unknown): boolean => typeof value === 'string' && /^(true|1)$/i.test(value.trim());
