import { type LiveState } from './live-state';

/** Messages between tabs. */
export type TabMessage =
  | { kind: 'stale'; keys: readonly string[] }
  | { kind: 'state'; state: LiveState }
  /** The session has ended, or is valid again. */
  | { kind: 'session'; isEnded: boolean }
  /** A new tab requests the current state. */
  | { kind: 'hello' };

const SHARED = 'plumbline-live';

/**
 * The tabs of one browser, which share a stream: browsers open at most six connections to a server, and each stream
 * uses one. The tab that holds a lock has the stream; when that tab is closed, another one takes over. Without locks
 * (plain HTTP to another machine), each tab has its own stream.
 */
export class Tabs {
  private readonly channel: BroadcastChannel | null;
  private readonly closed = new AbortController();
  private release = (): void => undefined;

  /**
   * `isLeft`: a stream that breaks while its page is being left still calls back, when the channel is already closed.
   */
  constructor(private readonly isLeft: () => boolean) {
    const canShare = 'locks' in navigator && 'BroadcastChannel' in globalThis;
    this.channel = canShare ? new BroadcastChannel(SHARED) : null;
  }

  /** `takeOver` is called when this tab gets the stream. */
  join(onMessage: (message: TabMessage) => void, takeOver: () => void): void {
    if (!this.channel) {
      takeOver();
      return;
    }
    this.channel.onmessage = ({ data }: MessageEvent<TabMessage>) => onMessage(data);
    this.broadcast({ kind: 'hello' });
    const hold = (): Promise<void> =>
      new Promise((done) => {
        this.release = done;
        // The lock may be granted while the page is being left.
        if (this.isLeft()) done();
        else takeOver();
      });
    navigator.locks.request(SHARED, { signal: this.closed.signal }, hold).catch(() => undefined);
  }

  broadcast(message: TabMessage): void {
    if (!this.isLeft()) this.channel?.postMessage(message);
  }

  close(): void {
    this.closed.abort();
    this.release();
    this.channel?.close();
  }
}
