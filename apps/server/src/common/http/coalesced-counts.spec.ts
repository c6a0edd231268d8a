import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { CoalescedCounts } from './coalesced-counts.js';

const MOST = 10;

/** Counts with a limit of ten, and the sums that the store received. */
function aCount() {
  const together = new CoalescedCounts();
  const store = new RateLimiterMemory({ points: MOST, duration: 60 });
  const sums: number[] = [];
  const count = (points: number) =>
    together.count('line', points, MOST, async (sum) => {
      sums.push(sum);
      return store.consume('key', sum);
    });
  return { count, sums };
}

describe('concurrent counts of one key', () => {
  it('use two store calls, and each count gets the state at its position', async () => {
    const { count, sums } = aCount();
    const states = await Promise.all(Array.from({ length: 8 }, () => count(1)));
    expect(sums).toEqual([1, 7]);
    expect(states.map(({ remainingPoints }) => remainingPoints)).toEqual([9, 8, 7, 6, 5, 4, 3, 2]);
  });

  it('are rejected from the first one beyond the limit', async () => {
    const { count, sums } = aCount();
    const states = await Promise.allSettled([count(4), count(5), count(1), count(1), count(3)]);
    expect(sums).toEqual([4, 10]);
    expect(states.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled', 'rejected', 'rejected']);
    expect(states[3]).toMatchObject({ reason: expect.any(RateLimiterRes) });
  });

  it('are all rejected when the store rejects their sum', async () => {
    const together = new CoalescedCounts();
    // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- as the library does
    const refuse = () => Promise.reject(new RateLimiterRes(0, 5000));
    const states = await Promise.allSettled([1, 2, 3].map(() => together.count('line', 1, MOST, refuse)));
    expect(states.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  });

  it('continue after a failure of the store', async () => {
    const together = new CoalescedCounts();
    await expect(together.count('line', 1, MOST, () => Promise.reject(new Error('away')))).rejects.toThrow('away');
    const state = await together.count('line', 1, MOST, async () => new RateLimiterRes(9, 60_000, 1, true));
    expect(state.remainingPoints).toBe(9);
  });
});
