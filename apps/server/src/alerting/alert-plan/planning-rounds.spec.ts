import { jest } from '@jest/globals';
import { SystemClock } from '../../common/clock.js';
import { PlanningRounds } from './planning-rounds.js';

/** Interval of rounds when nothing is scheduled or has changed. */
const EVERY_MS = 200;

class Rounds extends PlanningRounds {
  rounds = 0;
  /** The moments that each round schedules, in seconds from its start. */
  scheduled: (number | null)[][] = [];
  lastsMs = 0;

  constructor() {
    super(new SystemClock(), 'Nothing could be planned', 'some_change');
  }

  protected async work(): Promise<void> {
    const moments = this.scheduled[this.rounds++] ?? [];
    this.scheduleRounds(moments.map((seconds) => (seconds === null ? null : this.clock.now() + seconds)));
    if (this.lastsMs > 0) await new Promise((resolve) => setTimeout(resolve, this.lastsMs));
  }

  ask(): void {
    this.runSoon();
  }
}

describe('PlanningRounds', () => {
  let planning: Rounds;
  beforeEach(() => {
    jest.useFakeTimers();
    planning = new Rounds();
  });
  afterEach(async () => {
    const stopped = planning.beforeApplicationShutdown();
    await jest.runOnlyPendingTimersAsync();
    await stopped;
    jest.useRealTimers();
  });
  const after = async (milliseconds: number): Promise<number> => {
    await jest.advanceTimersByTimeAsync(milliseconds);
    return planning.rounds;
  };

  it('starts a round at each scheduled moment, otherwise at the regular interval', async () => {
    planning.scheduled = [[0.05, null, 0.12, 60]];
    planning.onApplicationBootstrap();
    expect(await after(EVERY_MS)).toBe(1);
    expect(await after(49)).toBe(1);
    expect(await after(2)).toBe(2);
    expect(await after(68)).toBe(2);
    expect(await after(2)).toBe(3);
    expect(await after(EVERY_MS - 5)).toBe(3);
    expect(await after(10)).toBe(4);
  });

  it.each([
    { lastsMs: 50, restsMs: 50 },
    { lastsMs: 300, restsMs: 900 },
  ])('rests longer after a longer round, even if one is scheduled or requested: %j', async ({ lastsMs, restsMs }) => {
    planning.lastsMs = lastsMs;
    planning.scheduled = [[0.06 + lastsMs / 1000]];
    planning.onApplicationBootstrap();
    expect(await after(EVERY_MS + lastsMs)).toBe(1);
    planning.ask();
    expect(await after(restsMs - 1)).toBe(1);
    expect(await after(2)).toBe(2);
  });
});
