import { currentRequest } from './http/request-context.js';

interface FlushBufferOptions<Key, Item> {
  /** Writes one batch. If it throws, this batch and later ones are kept and retried. */
  write: (batch: ReadonlyMap<Key, Item>) => Promise<void>;
  /** Combines a waiting item with `added` for the same key; without it, the newer item replaces the older one. */
  merge?: (present: Item, added: Item) => Item;
  /** Time from the first item to its write; if omitted, items wait for a call of `flush`. */
  afterMs?: number;
  /** Time from a failure to the retry; default: `afterMs`. */
  retryAfterMs?: number;
  /** Maximum number of items in one call of `write`. */
  batch?: number;
  /** Maximum number of waiting items; further keys are refused. */
  max?: number;
  /** Called for a failure that no caller of `flush` sees. */
  onFailure?: (error: unknown) => void;
}

/**
 * Collects items by key and writes them in batches: one write at a time, oldest first. Items that could not be written
 * are kept and retried.
 */
export class FlushBuffer<Key, Item> {
  private waiting = new Map<Key, Item>();
  /** Items that are being written. */
  private running = 0;
  private timer: NodeJS.Timeout | undefined;
  private writing: Promise<void> | undefined;

  constructor(private readonly options: FlushBufferOptions<Key, Item>) {}

  /** Items that wait to be written. */
  get size(): number {
    return this.waiting.size + this.running;
  }

  get isFull(): boolean {
    return this.size >= (this.options.max ?? Infinity);
  }

  /** The waiting item of this key. */
  get(key: Key): Item | undefined {
    return this.waiting.get(key);
  }

  /** Never waits. False if the buffer is full and the item was not added. */
  add(key: Key, item: Item): boolean {
    if (this.isFull && !this.waiting.has(key)) return false;
    this.put(this.waiting, key, item);
    this.schedule(this.options.afterMs);
    return true;
  }

  /**
   * Writes the waiting items, after a running write; if there is none, it starts within the call. Rejects with the
   * error of `write`.
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

  /** Like `flush`; a failure is passed to `onFailure`. */
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
    // Belongs to no request: the items of all requests are written together.
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
