import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { type NextFunction, type Request, type Response } from 'express';
import { LRUCache } from 'lru-cache';
import { TurnsRegistry } from '../fair-share/turns-registry.js';
import { isIngestPath } from './api-paths.js';
import { addressParty, partyOf } from './rate-limit.guard.js';
import { contextOf, currentRequest, type EdgeRequest } from './request-context.js';

/** Requests that begin in one round of the event loop: of all parties, and of one. */
const PER_ROUND = 32;
const PER_ROUND_AND_PARTY = 1;
/** From so many requests in its queue on, a party beside others has the next one begun when the last is answered. */
const CROWD = 8;
/** A party counts as beside others for so long after one of them has begun a request. */
const BESIDE_MS = 1000;
/** What takes longer than this, as an event stream does, keeps the rest of its party waiting no longer. */
const LONGEST_HOLD_MS = 1000;
/** Smaller bodies of points cost less than the wait for their commit. */
const LARGE_BODY_BYTES = 262_144;
/** Requests that wait to begin: of all parties, and of one. Each is an open connection of which nothing was read but headers. */
const WAITING = 5000;
const WAITING_PER_PARTY = 1000;
const REMEMBERED = 20_000;

/** Where credentials stand; a request that shows one in its query or body counts by its address here. */
const CREDENTIAL_HEADERS = ['x-auth-token', 'x-session-id', 'authorization', 'cookie'] as const;

/**
 * Turns between organisations for the thread that answers, before anything else is done for a request: of each, one
 * request begins in a round of the event loop. So what one of them has open costs the others one request a round, not
 * all that its sockets hold. Where one of them has a crowd waiting beside others, its requests are answered one after the
 * other: each is many short pieces of work for this thread and for the database, and what others wait for between their
 * own pieces is the sum of what is under way.
 *
 * Credentials are not looked up here. Those that were known at their last request are remembered by a hash; all others
 * count by their address.
 */
@Injectable()
export class RequestGate {
  private readonly parties = new LRUCache<string, string>({ max: REMEMBERED });
  private readonly turns;
  /** The party that began last, and when another one did before it. */
  private latest = { party: '', otherAt: -Infinity, at: -Infinity };

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
      const party = known ?? addressParty(request);
      this.turns.enter(party, context.gone).then(
        (leave) => {
          this.noteBeginning(party);
          if (this.isCrowd(party) && isHeavy(request)) leaveWhenAnswered(response, leave);
          else setImmediate(leave);
          currentRequest.run(context, next);
        },
        (error: unknown) => currentRequest.run(context, () => next(error)),
      );
    };
  }

  private noteBeginning(party: string): void {
    const now = performance.now();
    const { latest } = this;
    this.latest = { party, at: now, otherAt: latest.party === party ? latest.otherAt : latest.at };
  }

  /** To be asked of the party that began last. */
  private isCrowd(party: string): boolean {
    return performance.now() - this.latest.otherAt < BESIDE_MS && this.turns.waitingOf(party) >= CROWD;
  }

  private remember(shown: string, request: EdgeRequest): void {
    const { orgId } = contextOf(request);
    if (orgId !== undefined) this.parties.set(shown, `org:${String(orgId)}`);
    else if (request.caller && request.caller.kind !== 'anonymous') this.parties.set(shown, partyOf(request));
  }
}

function leaveWhenAnswered(response: Response, leave: () => void): void {
  const patience = setTimeout(leave, LONGEST_HOLD_MS).unref();
  response.once('close', () => {
    clearTimeout(patience);
    setImmediate(leave);
  });
}

/** Whether more work for the request follows than waiting for a commit. */
function isHeavy({ path, headers }: Request): boolean {
  return !isIngestPath(path) || Number(headers['content-length'] ?? LARGE_BODY_BYTES) >= LARGE_BODY_BYTES;
}

/** A hash of all that may name the caller; undefined when nothing does. */
function shownCredential({ headers }: Request): string | undefined {
  const shown = CREDENTIAL_HEADERS.map((name) => String(headers[name] ?? ''));
  if (shown.every((text) => text === '')) return undefined;
  return createHash('sha256').update(shown.join('\n')).digest('base64url');
}
