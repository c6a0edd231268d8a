import { NameCache } from '#libs/protocols';

/** Interval at which `forgetUnused` must be called. */
export const FORGET_UNUSED_EVERY_MS = 600_000;

interface Entry {
  names: NameCache;
  bytes: number;
  /** A body that is being parsed may still use it, but it no longer counts. */
  isForgotten: boolean;
}

/**
 * A NameCache for each organisation, within one limit for all. Beyond the limit, an organisation with more than half of
 * all names loses those that it has not sent recently, so one with millions of names does not evict those of others. If
 * there is no such organisation, the organisations that have sent nothing for the longest time lose all names. Evicted
 * names are parsed again from the next body.
 */
export class NameCaches {
  /** In order of use, the most recent one last. */
  private readonly entries = new Map<number, Entry>();
  private held = 0;
  private missesOfForgotten = 0;

  /** @param maxBytes approximate limit of the memory of all caches */
  constructor(readonly maxBytes: number) {}

  /** Call it once per body, or once per chunk of a stream, and do not keep the result longer. */
  of(orgId: number): NameCache {
    const entry = this.entries.get(orgId) ?? this.newEntry();
    this.entries.delete(orgId);
    this.entries.set(orgId, entry);
    return entry.names;
  }

  /** Approximate number of bytes of all names. */
  get bytes(): number {
    return this.held;
  }

  /** Number of keys that were parsed because they were not cached, or no longer cached. O(organisations). */
  get misses(): number {
    let misses = this.missesOfForgotten;
    for (const { names } of this.entries.values()) misses += names.misses;
    return misses;
  }

  /**
   * Forgets names that no body has used since the last call. The memory therefore follows the series that send, and
   * does not contain every container that ever ran. A name that returns is parsed again, once.
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
      // Also evicts recently used names, if these alone exceed the limit.
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
