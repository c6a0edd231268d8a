import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { type NextFunction, type Request, type Response } from 'express';
import { LRUCache } from 'lru-cache';
import { TurnsRegistry } from '../fair-share/turns-registry.js';
import { addressParty, partyOf } from './rate-limit.guard.js';
import { contextOf, currentRequest, type EdgeRequest } from './request-context.js';

/** Requests that begin in one round of the event loop: of all parties, and of one. */
const PER_ROUND = 8;
const PER_ROUND_AND_PARTY = 1;
/** Requests that wait to begin: of all parties, and of one. Each is an open connection of which nothing was read but headers. */
const WAITING = 5000;
const WAITING_PER_PARTY = 1000;
const REMEMBERED = 20_000;

/** Where credentials stand; a request that shows one in its query or body counts by its address here. */
const CREDENTIAL_HEADERS = ['x-auth-token', 'x-session-id', 'authorization', 'cookie'] as const;

/**
 * Turns between organisations for the thread that answers, before anything else is done for a request: of each, one
 * request begins in a round of the event loop. So what one of them has open costs the others one request a round, not
 * all that its sockets hold. Nothing is held after the beginning, so requests that last keep none out.
 *
 * Credentials are not looked up here. Those that were known at their last request are remembered by a hash; all others
 * count by their address.
 */
@Injectable()
export class RequestGate {
  private readonly parties = new LRUCache<string, string>({ max: REMEMBERED });
  private readonly turns;

  constructor(registry: TurnsRegistry) {
    this.turns = registry.open('requests', {
      slots: PER_ROUND,
      slotsPerParty: PER_ROUND_AND_PARTY,
      waiting: WAITING,
      waitingPerParty: WAITING_PER_PARTY,
    });
  }

  /** To stand behind `beginRequest`. */
  middleware(): (request: Request, response: Response, next: NextFunction) => void {
    return (request, response, next) => {
      const context = contextOf(request);
      const shown = shownCredential(request);
      const known = shown === undefined ? undefined : this.parties.get(shown);
      if (shown !== undefined && known === undefined) {
        response.once('close', () => this.remember(shown, request));
      }
      this.turns.enter(known ?? addressParty(request), context.gone).then(
        (leave) => {
          setImmediate(leave);
          currentRequest.run(context, next);
        },
        (error: unknown) => currentRequest.run(context, () => next(error)),
      );
    };
  }

  private remember(shown: string, request: EdgeRequest): void {
    const { orgId } = contextOf(request);
    if (orgId !== undefined) this.parties.set(shown, `org:${String(orgId)}`);
    else if (request.caller && request.caller.kind !== 'anonymous') this.parties.set(shown, partyOf(request));
  }
}

/** A hash of all that may name the caller; undefined when nothing does. */
function shownCredential({ headers }: Request): string | undefined {
  const shown = CREDENTIAL_HEADERS.map((name) => String(headers[name] ?? ''));
  if (shown.every((text) => text === '')) return undefined;
  return createHash('sha256').update(shown.join('\n')).digest('base64url');
}
