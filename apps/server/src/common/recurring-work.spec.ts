import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { ServerConfig } from './config/server.config.js';
import { RecurringWork } from './recurring-work.js';

const EVERY_MS = 1000;

class Work extends RecurringWork {
  rounds = 0;
  isOn = true;
  round: () => Promise<void> = () => Promise.resolve();

  constructor() {
    super({ everyMs: EVERY_MS, failure: 'The work could not be done' });
  }

  protected override isWanted(): boolean {
    return this.isOn && super.isWanted();
  }

  run(): Promise<void> {
    this.rounds++;
    return this.round();
  }

  all(full: number, step: () => Promise<number>): Promise<void> {
    return this.repeat(full, step);
  }

  each(items: readonly number[], work: (item: number) => Promise<unknown>): Promise<void> {
    return this.forEach(items, work);
  }
}

class WorkOfDetection extends RecurringWork {
  rounds = 0;

  constructor() {
    super({ everyMs: EVERY_MS, failure: 'The work could not be done', role: 'detect' });
  }

  run(): Promise<void> {
    this.rounds++;
    return Promise.resolve();
  }
}

class WorkOfItsOwnPace extends RecurringWork {
  rounds = 0;
  pause = EVERY_MS;
  isFailing = false;

  constructor() {
    super({ everyMs: EVERY_MS, firstAfterMs: 0, failure: 'The work could not be done', logEvery: 3 });
  }

  run(): Promise<void> {
    this.rounds++;
    return this.isFailing ? Promise.reject(new Error('no database')) : Promise.resolve();
  }

  protected override pauseMs(): number {
    return this.pause;
  }
}

class RequestedWork extends RecurringWork {
  rounds = 0;
  rest = 0;
  round: () => Promise<void> = () => Promise.resolve();

  constructor() {
    super({ everyMs: EVERY_MS, failure: 'The work could not be done' });
  }

  run(): Promise<void> {
    this.rounds++;
    return this.round();
  }

  ask(): void {
    this.runSoon();
  }

  protected override restMs(): number {
    return this.rest;
  }
}

describe('recurring work on request', () => {
  let work: RequestedWork;
  beforeEach(() => {
    jest.useFakeTimers();
    work = new RequestedWork();
  });
  afterEach(async () => {
    await work.beforeApplicationShutdown();
    jest.useRealTimers();
  });

  it('starts immediately, and restarts its interval from there', async () => {
    work.onApplicationBootstrap();
    await jest.advanceTimersByTimeAsync(EVERY_MS / 2);
    work.ask();
    await jest.advanceTimersByTimeAsync(0);
    expect(work.rounds).toBe(1);
    await jest.advanceTimersByTimeAsync(EVERY_MS - 1);
    expect(work.rounds).toBe(1);
    await jest.advanceTimersByTimeAsync(1);
    expect(work.rounds).toBe(2);
  });

  it('runs once more after requests during a round, however many', async () => {
    let end: () => void = () => undefined;
    work.round = () => new Promise((resolve) => (end = resolve));
    work.onApplicationBootstrap();
    work.ask();
    await jest.advanceTimersByTimeAsync(0);
    work.ask();
    work.ask();
    expect(work.rounds).toBe(1);
    end();
    await jest.advanceTimersByTimeAsync(0);
    expect(work.rounds).toBe(2);
    end();
    await jest.advanceTimersByTimeAsync(EVERY_MS - 1);
    expect(work.rounds).toBe(2);
    await jest.advanceTimersByTimeAsync(1);
    expect(work.rounds).toBe(3);
    end();
  });

  it('rests after a round, whether the request comes during the round or during the rest', async () => {
    work.rest = 100;
    let end: () => void = () => undefined;
    work.round = () => new Promise((resolve) => (end = resolve));
    work.onApplicationBootstrap();
    work.ask();
    await jest.advanceTimersByTimeAsync(0);
    for (const round of [1, 2]) {
      if (round === 1) work.ask();
      end();
      await jest.advanceTimersByTimeAsync(50);
      if (round === 2) work.ask();
      await jest.advanceTimersByTimeAsync(49);
      expect(work.rounds).toBe(round);
      await jest.advanceTimersByTimeAsync(1);
      expect(work.rounds).toBe(round + 1);
    }
    end();
  });

  it('does not run before bootstrap or after shutdown', async () => {
    work.ask();
    await jest.advanceTimersByTimeAsync(EVERY_MS);
    work.onApplicationBootstrap();
    await work.beforeApplicationShutdown();
    work.ask();
    await jest.advanceTimersByTimeAsync(EVERY_MS);
    expect(work.rounds).toBe(0);
  });
});

describe('recurring work', () => {
  let work: Work;
  beforeEach(() => {
    jest.useFakeTimers();
    work = new Work();
  });
  afterEach(async () => {
    await work.beforeApplicationShutdown();
    jest.useRealTimers();
    jest.restoreAllMocks();
  });

  it('runs every interval until shutdown', async () => {
    work.onApplicationBootstrap();
    expect(work.rounds).toBe(0);
    await jest.advanceTimersByTimeAsync(3 * EVERY_MS);
    expect(work.rounds).toBe(3);
    await work.beforeApplicationShutdown();
    await jest.advanceTimersByTimeAsync(3 * EVERY_MS);
    expect(work.rounds).toBe(3);
  });

  it('does not run while isWanted is false', async () => {
    work.isOn = false;
    work.onApplicationBootstrap();
    await jest.advanceTimersByTimeAsync(3 * EVERY_MS);
    expect(work.rounds).toBe(0);
  });

  it('logs a failure and runs again after the interval', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    work.round = () => Promise.reject(new Error('no database'));
    work.onApplicationBootstrap();
    await jest.advanceTimersByTimeAsync(2 * EVERY_MS);
    expect(work.rounds).toBe(2);
    expect(warn).toHaveBeenCalledWith('The work could not be done; it will be retried: no database');
  });

  it('runs one round at a time, and shutdown waits for it', async () => {
    let end: () => void = () => undefined;
    work.round = () => new Promise((resolve) => (end = resolve));
    work.onApplicationBootstrap();
    await jest.advanceTimersByTimeAsync(5 * EVERY_MS);
    expect(work.rounds).toBe(1);
    let hasStopped = false;
    const stopping = work.beforeApplicationShutdown().then(() => (hasStopped = true));
    await jest.advanceTimersByTimeAsync(EVERY_MS);
    expect(hasStopped).toBe(false);
    end();
    await stopping;
    expect(work.rounds).toBe(1);
  });

  it('can start immediately and choose the pause after each round', async () => {
    const own = new WorkOfItsOwnPace();
    own.onApplicationBootstrap();
    await jest.advanceTimersByTimeAsync(0);
    expect(own.rounds).toBe(1);
    await jest.advanceTimersByTimeAsync(EVERY_MS - 1);
    expect(own.rounds).toBe(1);
    own.pause = 10;
    await jest.advanceTimersByTimeAsync(1 + 3 * 10);
    expect(own.rounds).toBe(5);
    await own.beforeApplicationShutdown();
  });

  it('processes all items when one fails, then throws', async () => {
    const done: number[] = [];
    const failing = work.each([1, 2, 3], (item) => {
      done.push(item);
      return item === 2 ? Promise.reject(new Error('no second')) : Promise.resolve();
    });
    await expect(failing).rejects.toThrow('no second');
    expect(done).toEqual([1, 2, 3]);
    await work.beforeApplicationShutdown();
    await work.each([4], (item) => Promise.resolve(done.push(item)));
    expect(done).toEqual([1, 2, 3]);
  });

  it('can log only some of consecutive failures', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    const own = new WorkOfItsOwnPace();
    own.isFailing = true;
    own.onApplicationBootstrap();
    await jest.advanceTimersByTimeAsync(3 * EVERY_MS);
    expect(own.rounds).toBe(4);
    expect(warn).toHaveBeenCalledTimes(2);
    own.isFailing = false;
    await jest.advanceTimersByTimeAsync(EVERY_MS);
    own.isFailing = true;
    await jest.advanceTimersByTimeAsync(EVERY_MS);
    expect(warn).toHaveBeenCalledTimes(3);
    await own.beforeApplicationShutdown();
  });

  it('repeats steps while they are full, until shutdown', async () => {
    const taken = [10, 10, 3];
    await work.all(10, () => Promise.resolve(taken.shift() ?? 0));
    expect(taken).toEqual([]);
    let steps = 0;
    await work.all(1, async () => {
      if (++steps === 2) void work.beforeApplicationShutdown();
      return 1;
    });
    expect(steps).toBe(2);
  });

  it.each([
    [['api', 'detect'], { any: 1, detect: 1 }],
    [['api'], { any: 1, detect: 0 }],
    // The command line has no roles and runs only its command.
    [[], { any: 0, detect: 0 }],
  ] as const)('with the process roles %j runs only for its own role', async (roles, rounds) => {
    const server = Object.assign(new ServerConfig(), { roles });
    const module = await Test.createTestingModule({
      providers: [{ provide: ServerConfig, useValue: server }, Work, WorkOfDetection],
    }).compile();
    await module.init();
    await jest.advanceTimersByTimeAsync(EVERY_MS);
    expect({ any: module.get(Work).rounds, detect: module.get(WorkOfDetection).rounds }).toEqual(rounds);
    await module.close();
  });
});
