import { jest } from '@jest/globals';
import { Pacer } from './pacer.js';

/** Rests with a clock that the test moves. */
function timed(hasActiveOthers = () => true) {
  const pacer = new Pacer(hasActiveOthers, () => Date.now());
  let rested = 0;
  /** A piece of work of this duration, followed by a rest; returns the length of the rest. */
  const work = async (milliseconds: number): Promise<number> => {
    jest.setSystemTime(Date.now() + milliseconds);
    const ended = Date.now();
    const pause = pacer.pause();
    await jest.runAllTimersAsync();
    await pause;
    rested += Date.now() - ended;
    return Date.now() - ended;
  };
  return { work, rested: () => rested };
}

describe('pauses', () => {
  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask', 'performance'] });
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it('are as long as the preceding work', async () => {
    const { work } = timed();
    expect([await work(5), await work(20), await work(8)]).toEqual([5, 20, 8]);
  });

  it('of short work are added up until a rest is long enough', async () => {
    const { work, rested } = timed();
    expect(await work(1)).toBe(0);
    expect(await work(1)).toBe(2);
    for (let i = 0; i < 20; i++) await work(1.5);
    expect(rested()).toBeGreaterThanOrEqual(30);
  });

  it('are at most 50 ms long', async () => {
    const { work } = timed();
    expect(await work(30_000)).toBe(50);
    expect(await work(3)).toBe(3);
  });

  it('last only one round of the event loop while no other requests wait', async () => {
    let hasActiveOthers = false;
    const { work } = timed(() => hasActiveOthers);
    let rounds = 0;
    setImmediate(() => rounds++);
    expect(await work(20)).toBe(0);
    expect(rounds).toBe(1);
    hasActiveOthers = true;
    expect(await work(6)).toBe(6);
  });
});
