import { LRUCache } from 'lru-cache';

/** How much of the time a party may use. */
export interface TimeShareOptions {
  /** Part of the time, above 0, at most 1. */
  share: number;
  /** Milliseconds beyond the share that a party may use in one burst; they are restored when it uses less. */
  creditMs: number;
  /** Milliseconds that it can lack at most, however long a single piece of work took. */
  mostDebtMs: number;
}

/** Maximum number of remembered parties: a forgotten one has all of its credit again. */
const REMEMBERED = 20_000;

interface Account {
  creditMs: number;
  /** At which `creditMs` was right, in milliseconds. */
  at: number;
}

/**
 * A part of the time for each party: the used time is subtracted from its credit, which grows by `share` of the time
 * that passes, up to its bound. One whose credit is used up waits until it has some again.
 */
export class TimeShare {
  private readonly accounts = new LRUCache<string, Account>({ max: REMEMBERED });

  /** @param now milliseconds of a clock that never goes back */
  constructor(
    private readonly options: TimeShareOptions,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** The party has used this many milliseconds. */
  spend(party: string, milliseconds: number): void {
    const creditMs = Math.max(-this.options.mostDebtMs, this.creditOf(party) - milliseconds);
    this.accounts.set(party, { creditMs, at: this.now() });
  }

  /** Milliseconds until the party has credit again; 0 when it has some. */
  waitOf(party: string): number {
    return Math.max(0, -this.creditOf(party) / this.options.share);
  }

  private creditOf(party: string): number {
    const { share, creditMs } = this.options;
    const account = this.accounts.get(party);
    return account === undefined ? creditMs : Math.min(creditMs, account.creditMs + share * (this.now() - account.at));
  }
}
