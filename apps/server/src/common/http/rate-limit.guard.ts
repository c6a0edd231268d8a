import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { createHash } from 'node:crypto';
import { type Response } from 'express';
import { ACCESS_RULE, type AccessRule } from '../auth/access.decorators.js';
import { addressKey } from './client-address.js';
import { contextOf, type EdgeRequest } from './request-context.js';
import { type LimitDefinition, RATE_LIMIT, RateLimits, type RateLimitState } from './rate-limits.js';
import { ANONYMOUS_REQUESTS, API_REQUESTS, ORG_API_REQUESTS } from './rate-limit.config.js';

/**
 * Second guard: counts the request for its session, token or address, for its organisation, and for the special limit of
 * the route. A body that names another caller is read later; then the request is counted for that caller instead
 * (`countAgain`).
 */
@Injectable()
export class RateLimitGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly limits: RateLimits,
  ) {}

  async canActivate(execution: ExecutionContext): Promise<boolean> {
    const targets = [execution.getHandler(), execution.getClass()];
    // Ingest requests are counted by the ingest area, together with their points.
    if (this.reflector.getAllAndOverride<AccessRule | undefined>(ACCESS_RULE, targets)?.kind === 'ingest') return true;
    const http = execution.switchToHttp();
    const request = http.getRequest<EdgeRequest>();
    const { key, isKnown, orgId } = limitedParty(request);
    const special = this.reflector.getAllAndOverride<LimitDefinition | undefined>(RATE_LIMIT, targets);
    const states: RateLimitState[] = [];
    if (special?.insteadOfGeneral !== true) {
      states.push(await this.count(request, isKnown ? API_REQUESTS : ANONYMOUS_REQUESTS, key));
    }
    if (special) {
      states.push(await this.count(request, special, special.byAddress === true ? addressParty(request) : key));
    }
    // Last: a caller that is refused itself does not use the limit of its organisation.
    if (orgId !== undefined) states.push(await this.count(request, ORG_API_REQUESTS, String(orgId)));
    const narrowest = states.reduce((one, other) => (other.remaining < one.remaining ? other : one));
    setRateLimitHeaders(http.getResponse<Response>(), narrowest);
    return true;
  }

  /** The caller differs from the one for which the request was counted. @throws RateLimitedError */
  async countAgain(execution: ExecutionContext): Promise<void> {
    const context = contextOf(execution.switchToHttp().getRequest<EdgeRequest>());
    const { counted } = context;
    context.counted = [];
    for (const one of counted) await this.limits.takeBack(one);
    await this.canActivate(execution);
  }

  private async count(request: EdgeRequest, limit: LimitDefinition, key: string): Promise<RateLimitState> {
    const state = await this.limits.consume(limit, key);
    const context = contextOf(request);
    // The seconds are rounded up.
    const windowEnd = performance.now() + (state.resetSeconds - 1) * 1000;
    context.counted = [...context.counted, { limit, key, windowEnd }];
    return state;
  }
}

export function setRateLimitHeaders(response: Response, state: RateLimitState): void {
  response.setHeader('X-RateLimit-Limit', state.limit);
  response.setHeader('X-RateLimit-Remaining', state.remaining);
  response.setHeader('X-RateLimit-Reset', state.resetSeconds);
}

/**
 * The party whose requests are counted together. Readers of signed addresses are counted by address, like all callers
 * without credential.
 */
function limitedParty(request: EdgeRequest): { key: string; isKnown: boolean; orgId?: number } {
  const { caller } = request;
  if (caller?.kind === 'user') {
    // Keys may be kept in a shared store, which must not contain session ids.
    const key = `session:${createHash('sha256').update(caller.sessionId).digest('base64url')}`;
    return { key, isKnown: true, orgId: caller.org.id };
  }
  if (caller?.kind === 'token' && !contextOf(request).credential.isSigned) {
    const orgId = caller.org.id;
    return { key: `token:${String(orgId)}:${String(caller.tokenRef)}`, isKnown: true, orgId };
  }
  return { key: addressParty(request), isKnown: false };
}

/** The key under which the limits of a route count the requests of this caller. */
export function limitKeyOf(request: EdgeRequest): string {
  return limitedParty(request).key;
}

/** The party with which a caller shares bounded resources: an organisation, or an address without valid credential. */
export function partyOf(request: EdgeRequest): string {
  const { caller } = request;
  return caller && caller.kind !== 'anonymous' ? `org:${String(caller.org.id)}` : addressParty(request);
}

export function addressParty(request: EdgeRequest): string {
  return `address:${addressKey(contextOf(request).address)}`;
}
