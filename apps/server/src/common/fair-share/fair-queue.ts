import { LRUCache } from 'lru-cache';
import { OverloadedError } from '../http/http.errors.js';

/** Limits of running and waiting work. */
export interface FairQueueOptions {
  /** Maximum number of running pieces of work. */
  slots: number;
  /** Maximum number of these for one party; by default all of them. */
  slotsPerParty?: number;
  /** Maximum number of pieces of work that wait for a slot. */
  waiting: number;
  /** Maximum number of these for one party. */
  waitingPerParty: number;
}

/** The client of a piece of work disconnected before its turn; this error is not sent. */
export class ClientGoneError extends OverloadedError {
  constructor() {
    super('The client has closed its connection.');
  }
}

interface Waiting {
  begin: () => void;
}

/** The use of a queue by a party. */
export interface PartyUse {
  party: string;
  running: number;
  waiting: number;
  /** Number of refused pieces of work, while the party is remembered. */
  refused: number;
}

/** Maximum number of parties whose refusals are remembered. */
const REMEMBERED = 1000;

/** Outcomes of the work, for measurements. */
export interface FairQueueCounts {
  started: number;
  /** Refused because the queue of the party was full. */
  partyFull: number;
  /** Refused because the whole queue was full. */
  full: number;
  /** Dropped because the client had disconnected. */
  gone: number;
}

/**
 * A fair queue: waiting parties (organisations) get free slots in rotation, however much one of them requests. The wait
 * of a party therefore depends on how many parties wait, not on how much the others request.
 */
export class FairQueue {
  readonly counts: FairQueueCounts = { started: 0, partyFull: 0, full: 0, gone: 0 };
  /** By party; the first one is next. */
  private readonly queues = new Map<string, Set<Waiting>>();
  private readonly runningOf = new Map<string, number>();
  private readonly refusedOf = new LRUCache<string, number>({ max: REMEMBERED });
  private running = 0;
  private waitingCount = 0;

  constructor(private readonly options: FairQueueOptions) {}

  /** Number of waiting pieces of work. */
  get waiting(): number {
    return this.waitingCount;
  }

  /** Number of waiting pieces of work of a party. */
  waitingOf(party: string): number {
    return this.queues.get(party)?.size ?? 0;
  }

  /** Number of waiting pieces of work of the party with the longest queue. */
  get longestQueue(): number {
    return Math.max(0, ...[...this.queues.values()].map(({ size }) => size));
  }

  /** Number of running pieces of work. */
  get runningCount(): number {
    return this.running;
  }

  /** The parties that use the queue now, or were refused recently: at most `most`, the largest users first. */
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
   * Runs `work` when its turn comes.
   * @param gone the client has disconnected: waiting work is dropped
   * @throws OverloadedError if too much work waits
   * @throws ClientGoneError if the client has disconnected
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
      return Promise.reject(new OverloadedError('Too many requests of your organisation are waiting for this.'));
    }
    if (this.waitingCount >= this.options.waiting) {
      this.counts.full++;
      this.noteRefused(party);
      return Promise.reject(new OverloadedError('Too many requests are waiting for this.'));
    }
    return this.wait(party, gone);
  }

  /**
   * Like `enter`, for work that already had a turn and continues: it waits like other work, but is never refused or
   * dropped, because half of it is done. The number of waiting continuations is bounded by the number of admitted
   * requests.
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
    this.counts.started++;
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
      // Behind all other parties, until its next turn.
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
