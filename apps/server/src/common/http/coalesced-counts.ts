import { RateLimiterRes } from 'rate-limiter-flexible';

interface Waiting {
  points: number;
  resolve: (counted: RateLimiterRes) => void;
  reject: (reason: unknown) => void;
}

/**
 * Combines counts of one key: those that arrive while one of them is running are counted together, as one sum, when it
 * ends. A key then needs one statement at a time for any number of requests, and none of them waits for more than two.
 * Each gets the state that it would have had in the order of arrival.
 */
export class CoalescedCounts {
  /** Callers that wait for the running count, by key. */
  private readonly lines = new Map<string, Waiting[]>();

  /**
   * @param most points of the window
   * @param count counts a sum of points; rejects with the state if there are more than `most`
   * @throws RateLimiterRes more than `most` with these points
   */
  count(
    line: string,
    points: number,
    most: number,
    count: (sum: number) => Promise<RateLimiterRes>,
  ): Promise<RateLimiterRes> {
    return new Promise((resolve, reject) => {
      const one = { points, resolve, reject };
      const waiting = this.lines.get(line);
      if (waiting) waiting.push(one);
      else void this.countAll(line, [one], most, count);
    });
  }

  private async countAll(
    line: string,
    first: Waiting[],
    most: number,
    count: (sum: number) => Promise<RateLimiterRes>,
  ): Promise<void> {
    for (let batch = first; batch.length > 0; batch = this.lines.get(line) ?? []) {
      this.lines.set(line, []);
      await countBatch(batch, most, count);
    }
    this.lines.delete(line);
  }
}

async function countBatch(
  batch: readonly Waiting[],
  most: number,
  count: (sum: number) => Promise<RateLimiterRes>,
): Promise<void> {
  const sum = batch.reduce((points, one) => points + one.points, 0);
  let state: RateLimiterRes;
  try {
    state = await count(sum);
  } catch (error) {
    // A key refused from memory was not counted: consumedPoints is then 0.
    if (!(error instanceof RateLimiterRes) || error.consumedPoints === 0) {
      for (const { reject } of batch) reject(error);
      return;
    }
    state = error;
  }
  let consumed = state.consumedPoints - sum;
  for (const { points, resolve, reject } of batch) {
    consumed += points;
    const own = new RateLimiterRes(Math.max(0, most - consumed), state.msBeforeNext, consumed, state.isFirstInDuration);
    if (consumed > most) reject(own);
    else resolve(own);
  }
}
