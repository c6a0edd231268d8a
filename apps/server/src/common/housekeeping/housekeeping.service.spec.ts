import { jest } from '@jest/globals';
import { Global, Injectable, Module } from '@nestjs/common';
import { Test, type TestingModule } from '@nestjs/testing';
import { HandClock, START } from '../../../../../test/support/hand-clock.js';
import { Clock } from '../clock.js';
import { ServerConfig } from '../config/server.config.js';
import { Housekeeping } from './housekeeping.decorator.js';
import { HousekeepingModule } from './housekeeping.module.js';
import { HousekeepingService } from './housekeeping.service.js';

const EVERY_MS = 1000;

@Injectable()
class Letters {
  readonly calls: [now: number, batch: number][] = [];
  left = 5;
  counted = 0;

  @Housekeeping({ everyMs: EVERY_MS, failure: 'Old letters could not be dropped', role: 'detect', batch: 2 })
  dropExpired(now: number, batch: number): Promise<number> {
    this.calls.push([now, batch]);
    const dropped = Math.min(this.left, batch);
    this.left -= dropped;
    return Promise.resolve(dropped);
  }

  @Housekeeping({ everyMs: EVERY_MS, failure: 'Letters could not be counted', role: 'api' })
  count(): Promise<void> {
    this.counted++;
    return Promise.resolve();
  }

  /** Has no rule, so it is never called. */
  burn(): Promise<void> {
    return Promise.reject(new Error('not asked for'));
  }
}

@Global()
@Module({
  providers: [
    { provide: Clock, useFactory: () => new HandClock() },
    { provide: ServerConfig, useValue: Object.assign(new ServerConfig(), { roles: ['detect'] }) },
  ],
  exports: [Clock, ServerConfig],
})
class FoundationModule {}

describe('housekeeping', () => {
  let app: TestingModule;

  beforeEach(async () => {
    jest.useFakeTimers();
    app = await Test.createTestingModule({
      imports: [FoundationModule, HousekeepingModule],
      providers: [Letters, { provide: 'ALIAS', useExisting: Letters }],
    }).compile();
    await app.init();
  });
  afterEach(async () => {
    await app.close();
    jest.useRealTimers();
  });

  it('calls each method with a rule at its interval, repeatedly while a batch is full', async () => {
    const letters = app.get(Letters);
    expect(app.get(HousekeepingService).names).toEqual(['Letters.count', 'Letters.dropExpired']);
    await jest.advanceTimersByTimeAsync(EVERY_MS - 1);
    expect(letters.calls).toEqual([]);
    await jest.advanceTimersByTimeAsync(1);
    const call = [START + 0.25, 2];
    expect(letters.calls).toEqual([call, call, call]);
    await jest.advanceTimersByTimeAsync(EVERY_MS);
    expect(letters.calls).toHaveLength(4);
  });

  it('calls only methods of its own role, and stops at shutdown', async () => {
    const letters = app.get(Letters);
    await jest.advanceTimersByTimeAsync(2 * EVERY_MS);
    expect(letters.counted).toBe(0);
    await app.get(HousekeepingService).beforeApplicationShutdown();
    const { length } = letters.calls;
    await jest.advanceTimersByTimeAsync(2 * EVERY_MS);
    expect(letters.calls).toHaveLength(length);
  });
});
