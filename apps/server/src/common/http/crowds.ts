import { LRUCache } from 'lru-cache';

/**
 * Average number of open requests of a party in the last seconds above which it is a crowd compared with lighter
 * parties. A browser has at most six connections, one of them for the event stream: a person at the console is not a
 * crowd.
 */
const CROWD = 6;
/**
 * With this average a party is a crowd compared with any others; with this many open requests it is one compared with
 * lighter parties.
 */
const LARGE_CROWD = 8;
/** Time constant of that average: a page that sends many requests together is not a crowd. */
const AVERAGE_MS = 2000;
/** Other organisations count as active for this time after the start of a request: agents send every ten seconds. */
const BESIDE_MS = 10_000;
/** Weight of the latest request in the usual duration of a party's requests. */
const LATEST_WEIGHT = 0.2;
/** Number of other parties in the comparison: those whose requests began last. */
const COMPARED = 32;
const REMEMBERED = 20_000;
const ORG_PREFIX = 'org:';

interface Party {
  /** Waiting and running requests. */
  open: number;
  /** Average of `open` at the time `at`. */
  load: number;
  at: number;
  beganAt: number;
  /** Usual duration of its requests; undefined before the first has ended. */
  usualMs: number | undefined;
}

/** A waiting or running request. */
export interface TrackedRequest {
  /** It is running from now on. */
  begin(): void;
  /** It is answered. */
  end(): void;
  /** No more work is done for it, whenever it ends: its duration is not counted. */
  withdraw(): void;
}

/**
 * Detects parties with many open requests. Requests that are slow because of others do not make their party a crowd: a
 * party whose requests are faster than those of the others is not one until it has many more open.
 */
export class Crowds {
  private readonly parties = new LRUCache<string, Party>({ max: REMEMBERED });
  /** The organisations among them, the one whose request began last first. */
  private readonly orgs = new LRUCache<string, Party>({ max: REMEMBERED });

  /** @param now milliseconds of a monotonic clock */
  constructor(private readonly now: () => number = () => performance.now()) {}

  /** A request of the party has started, of any kind. */
  noteRequest(name: string): void {
    // Addresses make no crowd wait: health checks of balancers come from them, and the first request of every
    // credential.
    if (!name.startsWith(ORG_PREFIX)) return;
    const party = this.partyOf(name);
    party.beganAt = this.now();
    this.orgs.set(name, party);
  }

  /** A request of the party that is more than a small body of points has arrived. */
  enter(name: string): TrackedRequest {
    const party = this.partyOf(name);
    this.change(party, 1);
    let beganAt: number | undefined;
    let isOver = false;
    const withdraw = (): boolean => {
      if (isOver) return false;
      isOver = true;
      this.change(party, -1);
      return true;
    };
    return {
      begin: () => {
        beganAt = this.now();
      },
      end: () => {
        if (!withdraw() || beganAt === undefined) return;
        const tookMs = this.now() - beganAt;
        party.usualMs = tookMs + (1 - LATEST_WEIGHT) * ((party.usualMs ?? tookMs) - tookMs);
      },
      withdraw,
    };
  }

  /** True if the requests of the party must wait for others. */
  isCrowd(name: string): boolean {
    const party = this.parties.get(name);
    if (party === undefined) return false;
    const load = this.loadOf(party);
    const isMuch = load >= CROWD || party.open >= LARGE_CROWD;
    if (!isMuch || !this.hasActiveOthers(name)) return false;
    // A request that has not ended may take any time.
    return load >= LARGE_CROWD || (party.usualMs ?? Infinity) >= this.usualOfOthers(name);
  }

  hasActiveOthers(name: string): boolean {
    return this.others(name).length > 0;
  }

  /** Usual duration of requests of the other active parties, in milliseconds; each party has the same weight. */
  usualOfOthers(name: string): number {
    const usual = this.others(name).flatMap(({ usualMs }) => usualMs ?? []);
    return usual.length === 0 ? 0 : usual.reduce((sum, milliseconds) => sum + milliseconds, 0) / usual.length;
  }

  private others(name: string): Party[] {
    const since = this.now() - BESIDE_MS;
    const found: Party[] = [];
    for (const [other, party] of this.orgs.entries()) {
      if (party.beganAt < since || found.length === COMPARED) break;
      if (other !== name) found.push(party);
    }
    return found;
  }

  private partyOf(name: string): Party {
    const known = this.parties.get(name);
    if (known) return known;
    const created = { open: 0, load: 0, at: this.now(), beganAt: -Infinity, usualMs: undefined };
    this.parties.set(name, created);
    return created;
  }

  private change(party: Party, by: 1 | -1): void {
    party.load = this.loadOf(party);
    party.at = this.now();
    party.open += by;
  }

  private loadOf({ open, load, at }: Party): number {
    return open + (load - open) * Math.exp((at - this.now()) / AVERAGE_MS);
  }
}
