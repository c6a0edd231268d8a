/** Maximum pause after one piece, even if a busy machine or a lock made the piece slower. */
const LONGEST_MS = 50;
/** Shorter pauses are accumulated: timers have a resolution of milliseconds. */
const SHORTEST_MS = 2;

/**
 * Splits long work on the thread that answers requests into pieces. While there is other activity, it pauses after each
 * piece for as long as the piece took, so that other work has at least half of the time: of this thread, and of the
 * processors that worked for the piece elsewhere.
 */
export class Pacer {
  private owedMs = 0;
  private startedAt: number;

  /**
   * The first piece begins with this call.
   * @param isBesideOthers whether there is other activity to pause for; called after each piece
   * @param now milliseconds of a monotonic clock
   */
  constructor(
    private readonly hasActiveOthers: () => boolean,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.startedAt = now();
  }

  /**
   * Await it after each piece: other requests are answered in the meantime, always for at least one round of the event
   * loop.
   */
  async pause(): Promise<void> {
    this.owedMs += Math.min(LONGEST_MS, this.now() - this.startedAt);
    if (!this.hasActiveOthers()) this.owedMs = 0;
    if (this.owedMs < SHORTEST_MS) {
      await nextRound();
    } else {
      const milliseconds = Math.floor(this.owedMs);
      this.owedMs -= milliseconds;
      await new Promise((resolve) => setTimeout(resolve, milliseconds));
    }
    this.startedAt = this.now();
  }
}

const nextRound = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
