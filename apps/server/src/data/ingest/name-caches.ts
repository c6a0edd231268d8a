import { NameCache } from '#libs/protocols';

/** Part of all bytes that one organisation may take with either of the two sorts of keys of a NameCache. */
const ORG_PART = 1 / 4;

interface Entry {
  names: NameCache;
  bytes: number;
  /** A body that is being read may still hold it; it counts no more. */
  isForgotten: boolean;
}

/**
 * A NameCache for each organisation, within one bound for all: an organisation with millions of names makes the others
 * forget theirs only while it sends, and never takes more than half. Beyond the bound, those forget all names that have
 * sent nothing for longest; they are read again from the next body.
 */
export class NameCaches {
  /** In order of use, the last one last. */
  private readonly entries = new Map<number, Entry>();
  private held = 0;

  /** @param maxBytes rough bound of the memory taken by all */
  constructor(private readonly maxBytes: number) {}

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

  private newEntry(): Entry {
    const names = new NameCache({
      maxBytes: this.maxBytes * ORG_PART,
      onBytes: (change) => this.grew(entry, change),
    });
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
    for (const [orgId, entry] of this.entries) {
      if (this.held <= this.maxBytes) return;
      if (entry === growing) continue;
      this.entries.delete(orgId);
      entry.isForgotten = true;
      this.held -= entry.bytes;
    }
  }
}
