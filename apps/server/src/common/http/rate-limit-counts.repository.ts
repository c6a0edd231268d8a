import { Injectable } from '@nestjs/common';
import { type RateLimiterAbstract, RateLimiterPostgres } from 'rate-limiter-flexible';
import { DataSource } from 'typeorm';
import { Housekeeping } from '../housekeeping/housekeeping.decorator.js';
import { type LimiterOptions, MemoryRateLimitStore, RateLimitStore } from './rate-limits.js';

/** Lockouts: on disk before the answer is sent. */
const ATTEMPTS = 'attempt_count';
/** Requests of the current minute: unlogged, so that counting costs little; a crash of the database empties it. */
const REQUESTS = 'request_count';
const REQUEST_WINDOW_SECONDS = 60;

/**
 * Counters in the database: they apply to all processes together and survive a restart. While the database is
 * unavailable, each process counts in its memory.
 */
@Injectable()
export class SharedRateLimitStore extends RateLimitStore {
  private readonly memory = new MemoryRateLimitStore();

  constructor(private readonly dataSource: DataSource) {
    super();
  }

  limiter(options: LimiterOptions): RateLimiterAbstract {
    const inMemory = this.memory.limiter(options);
    if (options.inMemory) return inMemory;
    const isOfMinute = options.windowSeconds <= REQUEST_WINDOW_SECONDS;
    return new RateLimiterPostgres({
      storeClient: this.dataSource,
      storeType: 'typeorm',
      tableName: isOfMinute ? REQUESTS : ATTEMPTS,
      tableCreated: true,
      keyPrefix: options.name,
      points: options.points,
      duration: options.windowSeconds,
      insuranceLimiter: inMemory,
      // Otherwise every limiter of a table would do it; `forgetExpired` does it once.
      clearExpiredByTimeout: false,
      // A caller that is refused for the rest of the minute is refused without a query. This does not apply to
      // attempts: they can be undone, also by another process.
      ...(isOfMinute ? { inMemoryBlockOnConsumed: options.points + 1 } : {}),
    });
  }

  /** Erases the counters whose window is over. */
  @Housekeeping({ everyMs: 300_000, failure: 'Old counters of limits could not be erased' })
  async forgetExpired(): Promise<void> {
    for (const table of [ATTEMPTS, REQUESTS]) {
      await this.dataSource.query(`DELETE FROM ${table} WHERE expire < $1`, [Date.now()]);
    }
  }
}
