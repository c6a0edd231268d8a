import { currentRequest } from './http/request-context.js';

interface FlushBufferOptions<Key, Item> {
  /** Writes one batch. When it throws, the batch and those after it are kept for the next time. */
  write: (batch: ReadonlyMap<Key, Item>) => Promise<void>;
  /** Combines a waiting item with `added` for the same key; without it, the newer item replaces the older one. */
  merge?: (present: Item, added: Item) => Item;
  /** From the first item to its writing; without it, items wait for a call of `flush`. */
  afterMs?: number;
  /** From a failure to the next try; as long as `afterMs` if not given. */
  retryAfterMs?: number;
  /** Items in one call of `write`. */
  batch?: number;
  /** Items kept at most; further keys are refused. */
  max?: number;
  /** A failure that no caller of `flush` sees. */
  onFailure?: (error: unknown) => void;
}

/**
 * Collects items by key and writes them together a little later: one writing at a time, the oldest first. Items that
 * could not be written are kept and retried.
 */
export class FlushBuffer<Key, Item> {
  private waiting = new Map<Key, Item>();
  /** Items that are being written. */
  private running = 0;
  private timer: NodeJS.Timeout | undefined;
  private writing: Promise<void> | undefined;

  constructor(private readonly options: FlushBufferOptions<Key, Item>) {}

  /** Items that are not written yet. */
  get size(): number {
    return this.waiting.size + this.running;
  }

  get isFull(): boolean {
    return this.size >= (this.options.max ?? Infinity);
  }

  /** The item that waits under this key. */
  get(key: Key): Item | undefined {
    return this.waiting.get(key);
  }

  /** Never waits. False when the buffer is full and the item was not taken. */
  add(key: Key, item: Item): boolean {
    if (this.isFull && !this.waiting.has(key)) return false;
    this.put(this.waiting, key, item);
    this.schedule(this.options.afterMs);
    return true;
  }

  /**
   * Writes the waiting items, after a running write; begins within the call if there is none. Rejects with the error of
   * `write`.
   */
  flush(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    const before = this.writing;
    const writing =
      before === undefined ? this.writeWaiting() : before.catch(() => undefined).then(() => this.writeWaiting());
    this.writing = writing;
    const settle = (): void => {
      if (this.writing === writing) this.writing = undefined;
    };
    void writing.then(settle, settle);
    return writing;
  }

  /** As `flush`; a failure goes to `onFailure`. */
  async tryFlush(): Promise<void> {
    try {
      await this.flush();
    } catch (error) {
      this.options.onFailure?.(error);
    }
  }

  /** Writes the rest and stops the timer. Items that are added later wait for another call. */
  async close(): Promise<void> {
    await this.tryFlush();
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  private schedule(milliseconds: number | undefined): void {
    if (milliseconds === undefined || this.timer !== undefined) return;
    // Belongs to no request: the items of all are written together.
    this.timer = currentRequest.exit(() => setTimeout(() => void this.tryFlush(), milliseconds));
    this.timer.unref();
  }

  private async writeWaiting(): Promise<void> {
    const entries = [...this.waiting];
    this.waiting = new Map();
    const { write, batch = Math.max(entries.length, 1), afterMs, retryAfterMs = afterMs } = this.options;
    let written = 0;
    try {
      for (; written < entries.length; written += batch) {
        this.running = entries.length - written;
        await write(new Map(entries.slice(written, written + batch)));
      }
    } catch (error) {
      this.requeue(entries.slice(written));
      this.schedule(retryAfterMs);
      throw error;
    } finally {
      this.running = 0;
    }
  }

  /** Puts them before items that were added in the meantime. */
  private requeue(entries: readonly [Key, Item][]): void {
    const added = this.waiting;
    this.waiting = new Map(entries);
    for (const [key, item] of added) this.put(this.waiting, key, item);
  }

  private put(items: Map<Key, Item>, key: Key, item: Item): void {
    const present = items.get(key);
    items.set(key, present === undefined || !this.options.merge ? item : this.options.merge(present, item));
  }
}
