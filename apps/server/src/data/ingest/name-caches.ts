import { NameCache } from '#libs/protocols';

/** How often `forgetUnused` is to be called. */
export const FORGET_UNUSED_EVERY_MS = 600_000;

interface Entry {
  names: NameCache;
  bytes: number;
  /** A body that is being read may still hold it; it counts no more. */
  isForgotten: boolean;
}

/**
 * A NameCache for each organisation, within one bound for all. Beyond the bound, an organisation with more than half of
 * all names loses those that it has not sent recently, so one with millions of names does not evict those of others. If
 * there is no such organisation, those that have sent nothing for the longest time lose all. Evicted names are read
 * again from the next body.
 */
export class NameCaches {
  /** In order of use, the last one last. */
  private readonly entries = new Map<number, Entry>();
  private held = 0;
  private missesOfForgotten = 0;

  /** @param maxBytes rough bound of the memory taken by all */
  constructor(readonly maxBytes: number) {}

  /** To be asked for once per body, or once per chunk of a stream, and not to be kept longer. */
  of(orgId: number): NameCache {
    const entry = this.entries.get(orgId) ?? this.newEntry();
    this.entries.delete(orgId);
    this.entries.set(orgId, entry);
    return entry.names;
  }

  /** Rough sum of the bytes that all names take. */
  get bytes(): number {
    return this.held;
  }

  /** Keys that had to be taken apart because they were not known, or known no more. O(organisations). */
  get misses(): number {
    let misses = this.missesOfForgotten;
    for (const { names } of this.entries.values()) misses += names.misses;
    return misses;
  }

  /**
   * Forgets names that no body has used since the call before. So memory follows the series that send, and does not keep
   * every container that ever ran. A name that comes back is parsed again, once.
   */
  forgetUnused(): void {
    for (const [orgId, entry] of this.entries) {
      entry.names.shed();
      if (entry.names.size === 0) this.forget(orgId, entry);
    }
  }

  private newEntry(): Entry {
    const names = new NameCache({ maxBytes: this.maxBytes, onBytes: (change) => this.grew(entry, change) });
    const entry: Entry = { names, bytes: 0, isForgotten: false };
    return entry;
  }

  private grew(entry: Entry, change: number): void {
    if (entry.isForgotten) return;
    entry.bytes += change;
    this.held += change;
    if (change > 0 && this.held > this.maxBytes) this.makeRoom(entry);
  }

  private makeRoom(growing: Entry): void {
    for (const { bytes, names } of this.entries.values()) {
      if (bytes <= this.maxBytes / 2) continue;
      names.shed();
      // Also the recently used ones, if these alone are too many.
      if (this.held > this.maxBytes) names.shed();
      break;
    }
    for (const [orgId, entry] of this.entries) {
      if (this.held <= this.maxBytes) return;
      if (entry !== growing) this.forget(orgId, entry);
    }
  }

  private forget(orgId: number, entry: Entry): void {
    this.entries.delete(orgId);
    entry.isForgotten = true;
    this.held -= entry.bytes;
    this.missesOfForgotten += entry.names.misses;
  }
}
