import { FlushBuffer } from '../flush-buffer.js';

/** Writes the collected items; called with each key once. */
export type ActivityWriter<Key> = (latest: ReadonlyMap<Key, number>) => Promise<void>;

/**
 * Collects "last used at" moments and writes them in batches: a write per request would turn every read into a write.
 * Moments that could not be written are kept and retried.
 */
export class ActivityBuffer<Key> {
  private readonly latest: FlushBuffer<Key, number>;
  private timer: NodeJS.Timeout | undefined;

  constructor(write: ActivityWriter<Key>) {
    this.latest = new FlushBuffer({ write, merge: Math.max });
  }

  /** `at` in Unix seconds; moments earlier than the known one are ignored. */
  record(key: Key, at: number): void {
    this.latest.add(key, at);
  }

  /** The pending moment, if any. */
  noted(key: Key): number | undefined {
    return this.latest.get(key);
  }

  /** Writes all pending moments; one write at a time. */
  flush(): Promise<void> {
    return this.latest.flush();
  }

  /** Writes at intervals until `stop`; failures go to `onError` and are retried. */
  start(everySeconds: number, onError: (error: unknown) => void): void {
    this.timer = setInterval(() => void this.flush().catch(onError), everySeconds * 1000);
    this.timer.unref();
  }

  /** Ends the timer and writes the rest. */
  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.flush();
  }
}
