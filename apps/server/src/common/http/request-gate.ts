import { createHash } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { Injectable } from '@nestjs/common';
import { type NextFunction, type Request, type Response } from 'express';
import { LRUCache } from 'lru-cache';
import { Rests } from '../fair-share/rests.js';
import { TimeShare } from '../fair-share/time-share.js';
import { TurnsRegistry } from '../fair-share/turns-registry.js';
import { isIngestPath } from './api-paths.js';
import { LARGE_BODY_BYTES } from './body-parsing.js';
import { addressParty, partyOf } from './rate-limit.guard.js';
import { Crowds, type Visit } from './crowds.js';
import { contextOf, currentRequest, type EdgeRequest } from './request-context.js';

/** Requests that begin in one round of the event loop: of all parties, and of one. */
const PER_ROUND = 32;
const PER_ROUND_AND_PARTY = 1;
/** So often it is looked whether a request is still worked on: an event stream or a slow sender keeps no others waiting. */
const TIMEOUT_MS = 1000;
/** What takes longer than this keeps the rest of its party waiting no longer. */
const LONGEST_HOLD_MS = 10_000;
/** Crowds at a time whose next request waits: the others have half of what begins in a round. */
const CROWDS_HELD = PER_ROUND / 2;
/**
 * Part of the time in which a crowd beside others has a request under way: one keeps about one processor busy, here, in
 * threads and in the database. With many processors that leaves the others enough.
 */
const CROWD_SHARE = Math.min(1, availableParallelism() / 8);
/**
 * Part of the time in which a crowd beside others has a request under way, however short its requests are: each takes
 * this thread, of which there is one.
 */
const CROWD_MOST = 1 / 2;
/** What a crowd may have under way before that. */
const CROWD_CREDIT_MS = 500;
/** So much of that can be lacking: after a single long request no more than a few seconds are waited. */
const CROWD_DEBT_MS = 1000;
/** A crowd that waits is looked at so often: the others may have gone. */
const LOOK_AGAIN_MS = 100;
/** Requests that wait to begin: of all parties, and of one. Each is an open connection of which nothing was read but headers. */
const WAITING = 5000;
const WAITING_PER_PARTY = 1000;
const REMEMBERED = 20_000;

/** Where credentials stand; a request that shows one in its query or body counts by its address here. */
const CREDENTIAL_HEADERS = [
  'x-auth-token',
  'x-session-id',
  'authorization',
  'ocp-apim-subscription-key',
  'cookie',
] as const;

/**
 * Turns between organisations for the thread that answers, before anything else is done for a request: of each, one
 * request begins in a round of the event loop. So what one of them has open costs the others one request a round, not
 * all that its sockets hold. Where one of them is a crowd beside others, its requests are answered one after the other:
 * each is many short pieces of work for this thread and for the database, and what others wait for between their own
 * pieces is the sum of what is under way. A crowd whose requests take longer than those of the others has one under way for
 * a part of the time only: threads and the database work for it too, and take processors from the thread that answers.
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
  /** Requests that wait or are worked on, but small bodies of points. */
  private readonly open = new Set<OpenRequest>();

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
      const open = isHeavy(request)
        ? this.note({ request, response, party, visit: this.crowds.enter(party), hasBegun: false })
        : undefined;
      this.turns.enter(party, context.gone).then(
        (release) => {
          this.crowds.noteBegun(party);
          if (open) begin(open);
          if (open && this.isHeldBack(party)) this.hold(open, release);
          else setImmediate(release);
          currentRequest.run(context, next);
        },
        (error: unknown) => currentRequest.run(context, () => next(error)),
      );
    };
  }

  /** For long work of an organisation in pieces: it rests between them while another one is beside. */
  restsOf(orgId: number): Rests {
    const party = partyOfOrg(orgId);
    return new Rests(() => this.crowds.isBesideOthers(party));
  }

  private note(open: OpenRequest): OpenRequest {
    this.open.add(open);
    open.response.once('close', () => {
      open.visit.end();
      this.forget(open);
    });
    this.watch ??= setInterval(() => this.forgetIdle(), TIMEOUT_MS).unref();
    return open;
  }

  private forget(open: OpenRequest): void {
    open.visit.withdraw();
    this.open.delete(open);
    if (this.open.size > 0) return;
    clearInterval(this.watch);
    this.watch = undefined;
  }

  /** Slow senders and streams of events may stay for hours. */
  private forgetIdle(): void {
    for (const open of this.open) if (open.hasBegun && !isWorkedOn(open)) this.forget(open);
  }

  private isHeldBack(party: string): boolean {
    return this.held < CROWDS_HELD && this.crowds.isCrowd(party);
  }

  /** The next request of the party begins when this one is answered, and the party has not had more than its share. */
  private hold({ request, response, party }: OpenRequest, release: () => void): void {
    this.held++;
    const began = performance.now();
    let isOver = false;
    const end = () => {
      if (isOver) return;
      isOver = true;
      clearInterval(watch);
      const took = performance.now() - began;
      // Where no more than this is spent, the party gets back in twice the time what it has used.
      this.time.spend(party, Math.max(took - this.crowds.usualOfOthers(party), (took * CROWD_SHARE) / CROWD_MOST));
      this.releaseWithinShare(party, release);
    };
    const watch = setInterval(() => {
      if (!isWorkedOn({ request, response }) || performance.now() - began >= LONGEST_HOLD_MS) end();
    }, TIMEOUT_MS).unref();
    response.once('close', end);
  }

  private releaseWithinShare(party: string, release: () => void): void {
    const wait = this.crowds.isBesideOthers(party) ? this.time.waitOf(party) : 0;
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
  visit: Visit;
  hasBegun: boolean;
}

function begin(open: OpenRequest): void {
  open.hasBegun = true;
  open.visit.begin();
}

const partyOfOrg = (orgId: number): string => `org:${String(orgId)}`;

/** Its body has come and its answer has not begun: no slow sender, and no stream of events. */
function isWorkedOn({ request, response }: Pick<OpenRequest, 'request' | 'response'>): boolean {
  return request.complete && !response.headersSent;
}

/** Whether more work for the request follows than waiting for a commit. */
function isHeavy({ path, headers }: Request): boolean {
  // Smaller bodies of points cost less than the wait for their commit.
  return !isIngestPath(path) || Number(headers['content-length'] ?? LARGE_BODY_BYTES) >= LARGE_BODY_BYTES;
}

/** A hash of all that may name the caller; undefined when nothing does. */
function shownCredential({ headers }: Request): string | undefined {
  const shown = CREDENTIAL_HEADERS.map((name) => String(headers[name] ?? ''));
  if (shown.every((text) => text === '')) return undefined;
  return createHash('sha256').update(shown.join('\n')).digest('base64url');
}
