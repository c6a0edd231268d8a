/** So far apart that the difference survives in a float of Unix seconds. */
const STEP_SECONDS = 1e-6;
/** Times of several processes begin at different microseconds: the same time again would be the same point. */
const MAX_OFFSET_SECONDS = 1e-3;

/** Far more points at once than a process takes. */
const MAX_AHEAD_SECONDS = 1;

/** Times of now, none twice: two points of a metric at one time would be one point. */
export class DistinctTimes {
  private last = -Infinity;
  private readonly offset = Math.random() * MAX_OFFSET_SECONDS;

  /** @param now Unix seconds */
  constructor(private readonly now: () => number) {}

  /** Unix seconds, a little before now. */
  next(): number {
    const time = this.now() - this.offset;
    const following = this.last + STEP_SECONDS;
    // A clock that was set back is followed.
    this.last = following > time + MAX_AHEAD_SECONDS ? time : Math.max(time, following);
    return this.last;
  }
}
