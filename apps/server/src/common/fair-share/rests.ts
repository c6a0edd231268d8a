/** Longest rest after one piece, however long a busy machine or a lock made it. */
const LONGEST_MS = 50;
/** Shorter rests are added up: timers have a resolution of milliseconds. */
const SHORTEST_MS = 2;

/**
 * Long work in pieces on the thread that answers. While others are active, it rests after each piece for as long as the
 * piece took, so that they have at least half of the time: of this thread, and of the processors that worked for the
 * piece elsewhere.
 */
export class Rests {
  private owedMs = 0;
  private begun: number;

  /**
   * Begins with the first piece.
   * @param isBesideOthers whether there is anyone to rest for, asked after each piece
   * @param now milliseconds of a clock that never goes back
   */
  constructor(
    private readonly isBesideOthers: () => boolean,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.begun = now();
  }

  /** To be awaited after each piece: others are answered in the meantime, in any case for a round of the event loop. */
  async rest(): Promise<void> {
    this.owedMs += Math.min(LONGEST_MS, this.now() - this.begun);
    if (!this.isBesideOthers()) this.owedMs = 0;
    if (this.owedMs < SHORTEST_MS) {
      await nextRound();
    } else {
      const milliseconds = Math.floor(this.owedMs);
      this.owedMs -= milliseconds;
      await new Promise((resolve) => setTimeout(resolve, milliseconds));
    }
    this.begun = this.now();
  }
}

const nextRound = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
