import { LRUCache } from 'lru-cache';
import { OverloadedError } from '../http/http.errors.js';

/** How much may be under way, and how much may wait. */
export interface FairQueueOptions {
  /** Pieces of work under way at the same time. */
  slots: number;
  /** Of those, for one party; all of them by default. */
  slotsPerParty?: number;
  /** Pieces of work that may wait for a slot. */
  waiting: number;
  /** Of those, for one party. */
  waitingPerParty: number;
}

/** The client of a piece of work has gone before its turn came; this answer is not read. */
export class ClientGoneError extends OverloadedError {
  constructor() {
    super('The client has closed its connection.');
  }
}

interface Waiting {
  begin: () => void;
}

/** How much of a queue a party uses. */
export interface PartyUse {
  party: string;
  running: number;
  waiting: number;
  /** Pieces of work refused so far, as far as the party is remembered. */
  refused: number;
}

/** Parties whose refusals are remembered. */
const REMEMBERED = 1000;

/** Outcomes of the work, for measurements. */
export interface FairQueueCounts {
  begun: number;
  /** Refused because the queue of the party was full. */
  partyFull: number;
  /** Refused because the whole queue was full. */
  full: number;
  /** Omitted because the client had gone. */
  gone: number;
}

/**
 * A fair queue: of the parties (organisations) that wait, each gets the next free slot in its turn, however much
 * one of them has asked for. The wait of one therefore depends on how many wait, not on how much the others request.
 */
export class FairQueue {
  readonly counts: FairQueueCounts = { begun: 0, partyFull: 0, full: 0, gone: 0 };
  /** By party, the one whose turn is next first. */
  private readonly queues = new Map<string, Set<Waiting>>();
  private readonly runningOf = new Map<string, number>();
  private readonly refusedOf = new LRUCache<string, number>({ max: REMEMBERED });
  private running = 0;
  private waitingCount = 0;

  constructor(private readonly options: FairQueueOptions) {}

  /** Pieces of work that wait. */
  get waiting(): number {
    return this.waitingCount;
  }

  /** Pieces of work of a party that wait. */
  waitingOf(party: string): number {
    return this.queues.get(party)?.size ?? 0;
  }

  /** Pieces of work of the party with the longest queue. */
  get longestQueue(): number {
    return Math.max(0, ...[...this.queues.values()].map(({ size }) => size));
  }

  /** Pieces of work under way. */
  get runningCount(): number {
    return this.running;
  }

  /** The parties that use the queue now, or were refused recently: the largest users first, at most `most`. */
  largestUsers(most: number): PartyUse[] {
    const parties = new Set([...this.runningOf.keys(), ...this.queues.keys(), ...this.refusedOf.keys()]);
    const uses = [...parties].map((party) => ({
      party,
      running: this.runningOf.get(party) ?? 0,
      waiting: this.queues.get(party)?.size ?? 0,
      refused: this.refusedOf.peek(party) ?? 0,
    }));
    const share = ({ running, waiting, refused }: PartyUse) => running + waiting + refused;
    return uses.sort((one, other) => share(other) - share(one)).slice(0, most);
  }

  /**
   * Does `work` when its turn comes.
   * @param gone the client is not interested any longer: work that waits is dropped
   * @throws OverloadedError too much waits; ClientGoneError
   */
  async run<Result>(party: string, work: () => Promise<Result>, gone?: AbortSignal): Promise<Result> {
    const release = await this.enter(party, gone);
    try {
      return await work();
    } finally {
      release();
    }
  }

  /**
   * The same for work without a defined end: resolves when its turn comes, with the function that releases the slot.
   */
  enter(party: string, gone?: AbortSignal): Promise<() => void> {
    if (gone?.aborted === true) return Promise.reject(this.gone());
    if (this.mayBegin(party)) return Promise.resolve(this.begin(party));
    const queue = this.queues.get(party);
    if ((queue?.size ?? 0) >= this.options.waitingPerParty) {
      this.counts.partyFull++;
      this.noteRefused(party);
      return Promise.reject(new OverloadedError('Too many requests of your organisation wait for this.'));
    }
    if (this.waitingCount >= this.options.waiting) {
      this.counts.full++;
      this.noteRefused(party);
      return Promise.reject(new OverloadedError('Too many requests wait for this.'));
    }
    return this.wait(party, gone);
  }

  /**
   * As `enter`, for work that had a turn before and continues: it waits like others, but is never refused or dropped,
   * since half of it is done. The number of waiting continuations is bounded by the number of admitted requests.
   */
  enterAgain(party: string): Promise<() => void> {
    return this.mayBegin(party) ? Promise.resolve(this.begin(party)) : this.wait(party, undefined);
  }

  private wait(party: string, gone: AbortSignal | undefined): Promise<() => void> {
    return new Promise((resolve, reject) => {
      const drop = () => {
        this.take(party, waiting);
        reject(this.gone());
      };
      const waiting: Waiting = {
        begin: () => {
          gone?.removeEventListener('abort', drop);
          resolve(this.begin(party));
        },
      };
      gone?.addEventListener('abort', drop, { once: true });
      const queue = this.queues.get(party) ?? new Set();
      queue.add(waiting);
      this.queues.set(party, queue);
      this.waitingCount++;
    });
  }

  private mayBegin(party: string): boolean {
    const { slots, slotsPerParty = slots } = this.options;
    return this.running < slots && (this.runningOf.get(party) ?? 0) < slotsPerParty;
  }

  private begin(party: string): () => void {
    this.counts.begun++;
    this.change(party, 1);
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.change(party, -1);
      this.beginNext();
    };
  }

  private beginNext(): void {
    for (const [party, queue] of this.queues) {
      if (!this.mayBegin(party)) continue;
      const [next] = queue;
      this.take(party, next!);
      // Behind all others, until its turn comes round again.
      if (queue.size > 0) {
        this.queues.delete(party);
        this.queues.set(party, queue);
      }
      next!.begin();
      return;
    }
  }

  private take(party: string, waiting: Waiting): void {
    const queue = this.queues.get(party);
    if (queue?.delete(waiting) !== true) return;
    this.waitingCount--;
    if (queue.size === 0) this.queues.delete(party);
  }

  private change(party: string, by: 1 | -1): void {
    this.running += by;
    const now = (this.runningOf.get(party) ?? 0) + by;
    if (now > 0) this.runningOf.set(party, now);
    else this.runningOf.delete(party);
  }

  private noteRefused(party: string): void {
    this.refusedOf.set(party, (this.refusedOf.get(party) ?? 0) + 1);
  }

  private gone(): ClientGoneError {
    this.counts.gone++;
    return new ClientGoneError();
  }
}
