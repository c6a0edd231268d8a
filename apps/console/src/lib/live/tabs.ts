import { type LiveState } from './live-state';

/** Messages between tabs. */
export type Heard =
  | { kind: 'stale'; keys: readonly string[] }
  | { kind: 'state'; state: LiveState }
  /** The session has ended, or is there again. */
  | { kind: 'session'; isEnded: boolean }
  /** A new tab asks for the current state. */
  | { kind: 'hello' };

const SHARED = 'plumbline-live';

/**
 * The tabs of one browser, which share a stream: browsers open six connections to a server, and each stream holds one.
 * The tab that holds a lock has it; when that tab is closed the next one takes over. If there are no locks (plain HTTP
 * to another machine) each tab has its own.
 */
export class Tabs {
  private readonly channel: BroadcastChannel | null;
  private readonly givenUp = new AbortController();
  private release = (): void => undefined;

  /** `isLeft`: a stream that breaks while its page is left still calls back, and the channel is closed by then. */
  constructor(private readonly isLeft: () => boolean) {
    const canShare = 'locks' in navigator && 'BroadcastChannel' in globalThis;
    this.channel = canShare ? new BroadcastChannel(SHARED) : null;
  }

  /** `takeOver` is called when the stream is this tab's. */
  join(onHeard: (heard: Heard) => void, takeOver: () => void): void {
    if (!this.channel) {
      takeOver();
      return;
    }
    this.channel.onmessage = ({ data }: MessageEvent<Heard>) => onHeard(data);
    this.say({ kind: 'hello' });
    const hold = (): Promise<void> =>
      new Promise((done) => {
        this.release = done;
        // The lock may be given in the moment in which it is given up.
        if (this.isLeft()) done();
        else takeOver();
      });
    navigator.locks.request(SHARED, { signal: this.givenUp.signal }, hold).catch(() => undefined);
  }

  say(heard: Heard): void {
    if (!this.isLeft()) this.channel?.postMessage(heard);
  }

  close(): void {
    this.givenUp.abort();
    this.release();
    this.channel?.close();
  }
}
