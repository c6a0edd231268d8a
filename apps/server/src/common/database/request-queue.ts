import { availableParallelism } from 'node:os';
import { Injectable } from '@nestjs/common';
import { type FairQueue } from '../fair-share/fair-queue.js';
import { FairQueueRegistry } from '../fair-share/fair-queue-registry.js';
import { currentRequest, type RequestContext } from '../http/request-context.js';
import { DatabaseConfig } from './database.config.js';

/** Share of the connections that API requests do not use: for credentials, ingest and background work. */
const RESERVED_PART = 0.3;
/** Maximum number of API requests that wait for the database: of all organisations, and of one. */
const WAITING = 2000;
const WAITING_PER_ORG = 200;

/** A request that uses the database. */
interface Use {
  /** Connections that it holds or waits for. */
  holders: number;
  turn: Promise<() => void>;
}

/**
 * Fair queue between organisations for API requests that use the database at the same time: each organisation has at most
 * half of the connections for such requests, and no more than there are processors; the request that has waited longest
 * in its queue begins as soon as one is free. A request holds its turn from its first connection to its last, so one
 * that needs a second connection never waits for itself. It also holds the turn until it has processed the answer: that
 * uses this thread, for which organisations also take turns. A request that returns later has done a part of its work:
 * it waits, but is neither refused nor dropped.
 *
 * Lookups of credentials and counts of requests run before the caller is known, and ingest and background work have no
 * such caller: they use connections without a turn, from a reserve.
 */
@Injectable()
export class RequestQueue {
  private readonly turns: FairQueue;
  private readonly uses = new WeakMap<RequestContext, Use>();
  private readonly started = new WeakSet<RequestContext>();

  constructor(registry: FairQueueRegistry, { poolSize }: DatabaseConfig) {
    const slots = Math.max(1, poolSize - Math.ceil(poolSize * RESERVED_PART));
    const slotsPerParty = Math.min(Math.ceil(slots / 2), availableParallelism());
    this.turns = registry.open('database', {
      slots,
      slotsPerParty,
      waiting: WAITING,
      waitingPerParty: WAITING_PER_ORG,
    });
  }

  /**
   * Resolves when the current request may use the database, with the function that ends this use.
   * @throws OverloadedError too many requests wait; ClientGoneError
   */
  async enter(): Promise<() => void> {
    const context = currentRequest.getStore();
    if (context?.party === undefined) return () => undefined;
    const use = this.uses.get(context) ?? { holders: 0, turn: this.turnOf(context, context.party) };
    this.uses.set(context, use);
    use.holders++;
    try {
      await use.turn;
    } catch (error) {
      if (this.uses.get(context) === use) this.uses.delete(context);
      throw error;
    }
    this.started.add(context);
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      // Code that follows a result runs immediately, before other work that waits in the event loop.
      setImmediate(() => {
        if (--use.holders > 0) return;
        this.uses.delete(context);
        void use.turn.then((release) => release());
      });
    };
  }

  private turnOf(context: RequestContext, party: string): Promise<() => void> {
    return this.started.has(context) ? this.turns.enterAgain(party) : this.turns.enter(party, context.gone);
  }
}
