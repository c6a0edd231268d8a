import { LRUCache } from 'lru-cache';

/** Limits of the time of a party. */
export interface TimeShareOptions {
  /** Share of the time, above 0, at most 1. */
  share: number;
  /** Milliseconds beyond the share that a party may use in one burst; they are restored while it uses less. */
  creditMs: number;
  /** Maximum debt in milliseconds, however long a single piece of work took. */
  mostDebtMs: number;
}

/** Maximum number of remembered parties: a forgotten party has its full credit again. */
const REMEMBERED = 20_000;

interface Account {
  creditMs: number;
  /** Time in milliseconds at which `creditMs` was valid. */
  at: number;
}

/**
 * A share of the time for each party: the used time is subtracted from its credit, which grows by `share` of the
 * elapsed time, up to its maximum. A party without credit waits until it has some again.
 */
export class TimeShare {
  private readonly accounts = new LRUCache<string, Account>({ max: REMEMBERED });

  /** @param now milliseconds of a monotonic clock */
  constructor(
    private readonly options: TimeShareOptions,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** The party has used this many milliseconds. */
  spend(party: string, milliseconds: number): void {
    const creditMs = Math.max(-this.options.mostDebtMs, this.creditOf(party) - milliseconds);
    this.accounts.set(party, { creditMs, at: this.now() });
  }

  /** Milliseconds until the party has credit again; 0 if it has some. */
  waitOf(party: string): number {
    return Math.max(0, -this.creditOf(party) / this.options.share);
  }

  private creditOf(party: string): number {
    const { share, creditMs } = this.options;
    const account = this.accounts.get(party);
    return account === undefined ? creditMs : Math.min(creditMs, account.creditMs + share * (this.now() - account.at));
  }
}
