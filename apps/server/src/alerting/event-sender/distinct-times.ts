/** So far apart that the difference survives in a float of Unix seconds. */
const STEP_SECONDS = 1e-6;
/** Times of several processes begin at different microseconds: the same time again would be the same point. */
const MOST_OFFSET_SECONDS = 1e-3;

/** Times of now, none twice: two points of a metric at one time would be one point. */
export class DistinctTimes {
  private last = -Infinity;
  private readonly offset = Math.random() * MOST_OFFSET_SECONDS;

  /** @param now Unix seconds */
  constructor(private readonly now: () => number) {}

  /** Unix seconds, a little before now. */
  next(): number {
    this.last = Math.max(this.now() - this.offset, this.last + STEP_SECONDS);
    return this.last;
  }
}
