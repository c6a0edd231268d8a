import { STREAM_EVENT_TYPES, type StreamEventType } from '#libs/contracts';
import { type LiveState, liveState } from './live-state';

const RETRY_MS = [1000, 2000, 5000, 10_000];
/** Minimum interval at which requests without an answer restart the stream. */
const SUSPECT_MS = 30_000;

export interface StreamListener {
  /** False while no attempt is allowed: the page is being left, or the session has ended. */
  mayRun: () => boolean;
  onState: (state: LiveState) => void;
  onEvent: (type: StreamEventType) => void;
  /** Events were missed that the server no longer has. */
  onGap: () => void;
  /** The server has ended the stream: the session may have ended, too. */
  onEnd: () => void;
}

/** The connection to GET /stream. It reconnects automatically; before `begin` it does nothing. */
export class Stream {
  private hasStarted = false;
  private source: EventSource | undefined;
  private retry: ReturnType<typeof setTimeout> | undefined;
  private tries = 0;
  private suspectedAt = -Infinity;

  constructor(private readonly listener: StreamListener) {}

  /** True if this tab has the stream. */
  get isOurs(): boolean {
    return this.hasStarted;
  }

  begin(): void {
    this.hasStarted = true;
    this.open();
  }

  open(): void {
    if (!this.hasStarted) return;
    this.close();
    if (!this.listener.mayRun()) return;
    const source = new EventSource('/api/stream');
    this.source = source;
    source.onopen = () => {
      this.tries = 0;
      this.listener.onState('live');
    };
    // The browser would also retry, but not after an error response.
    source.onerror = () => this.disconnect();
    for (const type of STREAM_EVENT_TYPES) source.addEventListener(type, () => this.listener.onEvent(type));
    source.addEventListener('resync', () => this.listener.onGap());
    source.addEventListener('end', () => {
      this.disconnect();
      this.listener.onEnd();
    });
  }

  /** The connection is lost, or considered lost. */
  disconnect(): void {
    if (!this.hasStarted) return;
    this.close();
    if (!this.listener.mayRun()) return;
    this.listener.onState('lost');
    this.retry = setTimeout(() => this.open(), RETRY_MS[Math.min(this.tries++, RETRY_MS.length - 1)]);
  }

  /**
   * A request without an answer, or a browser without a network: the connection may have been lost without an error.
   * Restarts the stream at intervals only: if requests fail while the stream works, each restart reloads all data.
   */
  suspectLost(): void {
    if (liveState.get() !== 'live') return;
    if (navigator.onLine && performance.now() - this.suspectedAt < SUSPECT_MS) return;
    this.suspectedAt = performance.now();
    this.disconnect();
  }

  /** The tab is visible, or the network is available again: retries immediately. */
  retryNow(): void {
    if (liveState.get() === 'lost') this.open();
  }

  /** Restarts immediately. */
  restart(): void {
    if (!this.hasStarted) return;
    this.listener.onState('lost');
    this.open();
  }

  close(): void {
    clearTimeout(this.retry);
    this.source?.close();
    this.source = undefined;
  }
}
