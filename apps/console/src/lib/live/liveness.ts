import { holdWindows } from '../now';
import { sessionEnded } from '../session-state';
import { lastLiveAt, type LiveState, liveState, nowSeconds } from './live-state';
import { type Staleness } from './staleness';

/** The effect of the state of the stream on the data on the screen. */
export class Liveness {
  private hadGap = false;
  private lostCount = 0;

  constructor(
    private readonly staleness: Staleness,
    private readonly checkSession: () => void,
  ) {}

  enter(state: LiveState): void {
    if (state === 'live' || liveState.get() === 'live') lastLiveAt.set(nowSeconds());
    liveState.set(state);
    this.holdWindows();
    if (state === 'live') this.catchUp();
    if (state === 'lost') this.onLost();
  }

  /** An event has arrived; `keys` are the first members of the query keys that it makes stale. */
  note(keys: readonly string[]): void {
    lastLiveAt.set(nowSeconds());
    this.staleness.note(keys);
  }

  /** Events may have been missed: all data is reloaded when the stream is available. */
  noteGap(): void {
    this.hadGap = true;
  }

  /** Windows that end now do not move while no newer data can be loaded. */
  holdWindows(): void {
    holdWindows(liveState.get() === 'lost' || sessionEnded.get());
  }

  private catchUp(): void {
    this.lostCount = 0;
    if (this.hadGap) this.staleness.noteAll();
    this.hadGap = false;
  }

  private onLost(): void {
    this.hadGap = true;
    // The stream does not report why it was refused.
    if (++this.lostCount > 1 && !sessionEnded.get()) this.checkSession();
  }
}
