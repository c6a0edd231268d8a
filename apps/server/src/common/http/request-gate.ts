import { createHash } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { Injectable } from '@nestjs/common';
import { type NextFunction, type Request, type Response } from 'express';
import { LRUCache } from 'lru-cache';
import { Pacer } from '../fair-share/pacer.js';
import { TimeShare } from '../fair-share/time-share.js';
import { FairQueueRegistry } from '../fair-share/fair-queue-registry.js';
import { isIngestPath } from './api-paths.js';
import { LARGE_BODY_BYTES } from './body-parsing.js';
import { addressParty, partyOf } from './rate-limit.guard.js';
import { Crowds, type TrackedRequest } from './crowds.js';
import { contextOf, currentRequest, type EdgeRequest } from './request-context.js';

/** Requests that begin in one round of the event loop: of all parties, and of one. */
const PER_ROUND = 32;
const PER_ROUND_AND_PARTY = 1;
/**
 * Interval for checking whether a request is still being processed: an event stream or a slow sender does not delay
 * others.
 */
const TIMEOUT_MS = 1000;
/** A request that takes longer than this no longer delays the rest of its party. */
const LONGEST_HOLD_MS = 10_000;
/** Maximum number of crowds whose next request waits: the others get half of the requests that begin in a round. */
const CROWDS_HELD = PER_ROUND / 2;
/**
 * Fraction of the time for which a crowd has a request running while others are active: one request keeps about one
 * processor busy, here, in threads and in the database. With many processors, enough remains for the others.
 */
const CROWD_SHARE = Math.min(1, availableParallelism() / 8);
/**
 * Fraction of the time for which a crowd has a request running while others are active, however short its requests are:
 * each uses this thread, and there is only one.
 */
const CROWD_MOST = 1 / 2;
/** Running time that a crowd may use before the limits above apply. */
const CROWD_CREDIT_MS = 500;
/** Maximum debt of that time: after a single long request the wait is at most a few seconds. */
const CROWD_DEBT_MS = 1000;
/** Interval for checking a waiting crowd: the others may have gone. */
const LOOK_AGAIN_MS = 100;
/**
 * Maximum number of requests that wait to begin: of all parties, and of one. Each is an open connection of which only
 * headers were read.
 */
const WAITING = 5000;
const WAITING_PER_PARTY = 1000;
const REMEMBERED = 20_000;

/** Headers with credentials; a request with one in its query or body counts by its address here. */
const CREDENTIAL_HEADERS = [
  'x-auth-token',
  'x-session-id',
  'authorization',
  'ocp-apim-subscription-key',
  'cookie',
] as const;

/**
 * Fair queue between organisations for the thread that answers, before any other work for a request: one request of each
 * begins in a round of the event loop. The open requests of one organisation therefore delay the others by one request
 * a round, not by all that its sockets hold. If one of them is a crowd while others are active, its requests are
 * answered one after the other: each consists of many short pieces of work for this thread and for the database, and
 * between their own pieces the others wait for the sum of all running requests. A crowd whose requests take longer than
 * those of the others has one running only for a part of the time: threads and the database also work for it, and use
 * processors that the thread that answers needs.
 *
 * Credentials are not looked up here. Those that were known at their last request are remembered by a hash; all others
 * count by their address.
 */
@Injectable()
export class RequestGate {
  private readonly parties = new LRUCache<string, string>({ max: REMEMBERED });
  private readonly turns;
  private readonly crowds = new Crowds();
  private readonly time = new TimeShare({
    share: CROWD_SHARE,
    creditMs: CROWD_CREDIT_MS,
    mostDebtMs: CROWD_DEBT_MS,
  });
  private held = 0;
  private watch: NodeJS.Timeout | undefined;
  /** Waiting and running requests, except small bodies of points. */
  private readonly open = new Set<OpenRequest>();

  constructor(registry: FairQueueRegistry) {
    this.turns = registry.open('requests', {
      slots: PER_ROUND,
      slotsPerParty: PER_ROUND_AND_PARTY,
      waiting: WAITING,
      waitingPerParty: WAITING_PER_PARTY,
    });
  }

  /** Must be registered after `beginRequest`. */
  middleware(): (request: Request, response: Response, next: NextFunction) => void {
    return (request, response, next) => {
      const context = contextOf(request);
      const shown = shownCredential(request);
      const known = shown === undefined ? undefined : this.parties.get(shown);
      if (shown !== undefined && known === undefined) {
        response.once('close', () => this.remember(shown, request));
      }
      const party = known ?? addressParty(request);
      const open = isHeavy(request)
        ? this.note({ request, response, party, tracked: this.crowds.enter(party), hasStarted: false })
        : undefined;
      this.turns.enter(party, context.gone).then(
        (release) => {
          this.crowds.noteRequest(party);
          if (open) begin(open);
          if (open && this.isHeldBack(party)) this.hold(open, release);
          else setImmediate(release);
          currentRequest.run(context, next);
        },
        (error: unknown) => currentRequest.run(context, () => next(error)),
      );
    };
  }

  /** For long work of an organisation in pieces: it pauses between them while another organisation is active. */
  pacerOf(orgId: number): Pacer {
    const party = partyOfOrg(orgId);
    return new Pacer(() => this.crowds.hasActiveOthers(party));
  }

  private note(open: OpenRequest): OpenRequest {
    this.open.add(open);
    open.response.once('close', () => {
      open.tracked.end();
      this.forget(open);
    });
    this.watch ??= setInterval(() => this.forgetIdle(), TIMEOUT_MS).unref();
    return open;
  }

  private forget(open: OpenRequest): void {
    open.tracked.withdraw();
    this.open.delete(open);
    if (this.open.size > 0) return;
    clearInterval(this.watch);
    this.watch = undefined;
  }

  /** Slow senders and event streams may stay for hours. */
  private forgetIdle(): void {
    for (const open of this.open) if (open.hasStarted && !isWorkedOn(open)) this.forget(open);
  }

  private isHeldBack(party: string): boolean {
    return this.held < CROWDS_HELD && this.crowds.isCrowd(party);
  }

  /** The next request of the party begins when this one is answered and the party has not used more than its share. */
  private hold({ request, response, party }: OpenRequest, release: () => void): void {
    this.held++;
    const began = performance.now();
    let isOver = false;
    const end = () => {
      if (isOver) return;
      isOver = true;
      clearInterval(watch);
      const took = performance.now() - began;
      // If the party uses no more than this, it regains the used time in twice that time.
      this.time.spend(party, Math.max(took - this.crowds.usualOfOthers(party), (took * CROWD_SHARE) / CROWD_MOST));
      this.releaseWithinShare(party, release);
    };
    const watch = setInterval(() => {
      if (!isWorkedOn({ request, response }) || performance.now() - began >= LONGEST_HOLD_MS) end();
    }, TIMEOUT_MS).unref();
    response.once('close', end);
  }

  private releaseWithinShare(party: string, release: () => void): void {
    const wait = this.crowds.hasActiveOthers(party) ? this.time.waitOf(party) : 0;
    if (wait > 0) {
      setTimeout(() => this.releaseWithinShare(party, release), Math.min(wait, LOOK_AGAIN_MS)).unref();
      return;
    }
    this.held--;
    setImmediate(release);
  }

  private remember(shown: string, request: EdgeRequest): void {
    const { orgId } = contextOf(request);
    if (orgId !== undefined) this.parties.set(shown, partyOfOrg(orgId));
    else if (request.caller && request.caller.kind !== 'anonymous') this.parties.set(shown, partyOf(request));
  }
}

interface OpenRequest {
  request: Request;
  response: Response;
  party: string;
  tracked: TrackedRequest;
  hasStarted: boolean;
}

function begin(open: OpenRequest): void {
  open.hasStarted = true;
  open.tracked.begin();
}

const partyOfOrg = (orgId: number): string => `org:${String(orgId)}`;

/** Its body has arrived and its answer has not begun: neither a slow sender nor an event stream. */
function isWorkedOn({ request, response }: Pick<OpenRequest, 'request' | 'response'>): boolean {
  return request.complete && !response.headersSent;
}

/** True if more work for the request follows than waiting for a commit. */
function isHeavy({ path, headers }: Request): boolean {
  // Smaller bodies of points cost less than the wait for their commit.
  return !isIngestPath(path) || Number(headers['content-length'] ?? LARGE_BODY_BYTES) >= LARGE_BODY_BYTES;
}

/** A hash of everything that may identify the caller; undefined if nothing does. */
function shownCredential({ headers }: Request): string | undefined {
  const shown = CREDENTIAL_HEADERS.map((name) => String(headers[name] ?? ''));
  if (shown.every((text) => text === '')) return undefined;
  return createHash('sha256').update(shown.join('\n')).digest('base64url');
}
