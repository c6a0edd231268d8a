import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { missingPermissions } from '#libs/contracts';
import { ServerConfig } from '../config/server.config.js';
import { FETCH_ROUTE } from '../http/fetch.decorator.js';
import { contextOf, type CredentialFindings, type EdgeRequest } from '../http/request-context.js';
import { ACCESS_RULE, type AccessRule, ANY_SITE, BEGINS_SESSION, SIDE_EFFECT } from './access.decorators.js';
import {
  CrossSiteRefusedError,
  DemoAccountError,
  NotAuthenticatedError,
  PermissionDeniedError,
  SessionExpiredError,
  SessionRequiredError,
  TokenExpiredError,
} from './auth.errors.js';
import { type Caller, type KnownCaller } from './caller.js';
import { SignatureInvalidError, SignedUrlExpiredError } from './url-signature.js';

/**
 * Last guard: checks the caller against the rule of the route, in the order credential, cross-site, permission. Then it
 * reports a body that could not be parsed.
 */
@Injectable()
export class AccessGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly config: ServerConfig,
  ) {}

  canActivate(execution: ExecutionContext): boolean {
    const targets = [execution.getHandler(), execution.getClass()];
    const rule = this.reflector.getAllAndOverride<AccessRule | undefined>(ACCESS_RULE, targets);
    if (!rule) {
      throw new Error(`${execution.getClass().name}.${execution.getHandler().name} declares no access rule`);
    }
    // The ingest area has its own guard: other places for the token, another format of errors.
    if (rule.kind === 'ingest') return true;
    const request = execution.switchToHttp().getRequest<EdgeRequest>();
    const caller: Caller = request.caller ?? { kind: 'anonymous' };
    const { credential } = contextOf(request);
    if (rule.kind !== 'public' && caller.kind === 'anonymous') throw credentialError(credential.fault);

    const isUnsafe = this.reflector.getAllAndOverride<boolean | undefined>(SIDE_EFFECT, targets) === true;
    const isFetch = this.reflector.get<boolean | undefined>(FETCH_ROUTE, execution.getHandler()) === true;
    const isFromAnySite = this.reflector.getAllAndOverride<boolean | undefined>(ANY_SITE, targets) === true;
    if (!isFromAnySite) this.refuseCrossSite(request, caller, { isUnsafe, isFetch });
    const beginsSession = this.reflector.getAllAndOverride<boolean | undefined>(BEGINS_SESSION, targets) === true;
    if (beginsSession && isFromForeignSite(this.config, request)) throw new CrossSiteRefusedError();

    if (rule.kind === 'session') requireSession(rule, caller as KnownCaller);
    if (rule.kind === 'permissions') requirePermissions(rule, request);
    const { bodyFault } = contextOf(request);
    if (bodyFault) throw bodyFault;
    return true;
  }

  private refuseCrossSite(
    request: EdgeRequest,
    caller: Caller,
    { isUnsafe, isFetch }: { isUnsafe: boolean; isFetch: boolean },
  ): void {
    const isGet = request.method === 'GET' || request.method === 'HEAD';
    const hasSideEffect = isUnsafe || !(isGet || isFetch);
    if (!hasSideEffect) return;
    if (isGet && (isPrefetch(request.get('sec-purpose')) || isPrefetch(request.get('purpose')))) {
      throw new CrossSiteRefusedError();
    }
    const isByCookie = caller.kind === 'user' && contextOf(request).credential.sessionSource === 'cookie';
    if (!isByCookie) return;
    // The browser also sends `none` for a link in a mail.
    const isLink = isGet && request.get('sec-fetch-site') === 'none';
    if (isLink || !isFromOwnSite(this.config, request)) throw new CrossSiteRefusedError();
  }
}

/**
 * Whether the browser reports that the request comes from the console, or from an origin that may act for its visitors.
 */
export function isFromOwnSite(config: ServerConfig, request: EdgeRequest): boolean {
  const site = request.get('sec-fetch-site');
  if (site === 'same-origin' || site === 'none') return true;
  const origin = request.get('origin');
  return origin !== undefined && isAllowedOrigin(config, origin);
}

/**
 * Whether the browser reports that the request comes from a page that may not act for its visitors; programs send no
 * such header.
 */
export function isFromForeignSite(config: ServerConfig, request: EdgeRequest): boolean {
  const isSaid = request.get('sec-fetch-site') !== undefined || request.get('origin') !== undefined;
  return isSaid && !isFromOwnSite(config, request);
}

/** Whether pages of this origin may use the API with the visitor's credentials. */
export function isAllowedOrigin(config: ServerConfig, origin: string): boolean {
  return origin === config.consoleOrigin || config.corsOrigins.includes(origin);
}

function isPrefetch(purpose: string | undefined): boolean {
  return purpose?.trim().toLowerCase().startsWith('prefetch') === true;
}

function credentialError(fault: CredentialFindings['fault']): Error {
  switch (fault) {
    case 'session_expired':
      return new SessionExpiredError();
    case 'token_expired':
      return new TokenExpiredError();
    case 'signature_invalid':
      return new SignatureInvalidError();
    case 'signature_expired':
      return new SignedUrlExpiredError();
    default:
      return new NotAuthenticatedError();
  }
}

function requireSession(rule: AccessRule & { kind: 'session' }, caller: KnownCaller): void {
  if (caller.kind === 'token') throw new SessionRequiredError();
  if (caller.demo && !rule.demo) throw new DemoAccountError('session');
}

function requirePermissions(rule: AccessRule & { kind: 'permissions' }, request: EdgeRequest): void {
  const caller = request.caller as KnownCaller;
  const bits = rule.bitsFor?.(request) ?? rule.bits;
  if (rule.needs === 'any' && (caller.permissions & bits) !== 0) return;
  const missing = missingPermissions(caller.permissions, bits)[0];
  if (missing === undefined) return;
  throw caller.kind === 'user' && caller.demo ? new DemoAccountError(missing) : new PermissionDeniedError(missing);
}
