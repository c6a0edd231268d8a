import { Injectable, SetMetadata } from '@nestjs/common';
import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { AppError } from '../errors/app-error.js';
import { RATE_LIMIT_SECONDS, RateLimitConfig, type RateLimitName } from './rate-limit.config.js';

export const RATE_LIMIT = Symbol('rate limit');

/**
 * A limit of this route besides the general ones (some hold in place of them), counted per session, token or address;
 * limits that are named after addresses count by address for every caller.
 */
export const RateLimit = (name: RateLimitName): MethodDecorator & ClassDecorator => SetMetadata(RATE_LIMIT, name);

export class RateLimitedError extends AppError {
  constructor(readonly state: RateLimitState) {
    super('rate_limited', `Too many requests; try again in ${String(state.resetSeconds)} s.`, [], state.resetSeconds);
  }
}

/** Where a counter stands: what the `X-RateLimit-*` headers say. */
export interface RateLimitState {
  limit: number;
  remaining: number;
  /** Seconds until the window ends, at least 1. */
  resetSeconds: number;
}

/** A limit as a store counts it: `points` per fixed window. */
export interface LimiterOptions {
  name: RateLimitName;
  points: number;
  windowSeconds: number;
}

/** Where counters live. In memory a limit holds per process; a shared store makes it hold for the installation. */
export abstract class RateLimitStore {
  abstract limiter(options: LimiterOptions): RateLimiterAbstract;
}

@Injectable()
export class MemoryRateLimitStore extends RateLimitStore {
  limiter(options: LimiterOptions): RateLimiterMemory {
    return new RateLimiterMemory({
      keyPrefix: options.name,
      points: options.points,
      duration: options.windowSeconds,
    });
  }
}

/** A try that was counted, and can be taken back while its window lasts. */
export interface CountedTry {
  name: RateLimitName;
  key: string;
  /** Tries that were left after it. */
  remaining: number;
  /** End of the window in milliseconds of the process clock (`performance.now`). */
  windowEnd: number;
}

/** So close to the end of a window a count is left alone: taken back too late, it would be one too few in the next. */
const TAKE_BACK_MARGIN_MS = 1000;

/** Counts requests and failed tries. `key` is what is limited: an account, an address (`addressKey`), a credential. */
@Injectable()
export class RateLimits {
  private readonly limiters = new Map<RateLimitName, RateLimiterAbstract>();

  constructor(
    private readonly config: RateLimitConfig,
    private readonly store: RateLimitStore,
  ) {}

  /** Counts `points` and answers the state. @throws RateLimitedError when the limit is passed */
  async consume(name: RateLimitName, key: string, points = 1): Promise<RateLimitState> {
    try {
      return this.stateOf(name, await this.limiter(name).consume(key, points));
    } catch (error) {
      // The library rejects with the state itself; anything else is a failure of the store.
      if (!(error instanceof RateLimiterRes)) throw error;
      throw new RateLimitedError(this.stateOf(name, error));
    }
  }

  /**
   * For limits on failures: counts a try as failed before it is made, so that many at once cannot slip through together.
   * `takeBack` undoes it for one that turned out right. Tries that are refused do not count.
   * @throws RateLimitedError
   */
  async begin(name: RateLimitName, key: string): Promise<CountedTry> {
    try {
      return countedTry(name, key, await this.limiter(name).consume(key));
    } catch (error) {
      if (!(error instanceof RateLimiterRes)) throw error;
      await this.takeBack(countedTry(name, key, error));
      throw new RateLimitedError(this.stateOf(name, error));
    }
  }

  async takeBack({ name, key, windowEnd }: CountedTry): Promise<void> {
    if (performance.now() < windowEnd - TAKE_BACK_MARGIN_MS) await this.limiter(name).reward(key);
  }

  /** Forgets what was counted. */
  async forget(name: RateLimitName, key: string): Promise<void> {
    await this.limiter(name).delete(key);
  }

  private limiter(name: RateLimitName): RateLimiterAbstract {
    const known = this.limiters.get(name);
    if (known) return known;
    const made = this.store.limiter({ name, points: this.config[name], windowSeconds: RATE_LIMIT_SECONDS[name] });
    this.limiters.set(name, made);
    return made;
  }

  private stateOf(name: RateLimitName, counter: RateLimiterRes): RateLimitState {
    return {
      limit: this.config[name],
      remaining: Math.max(0, counter.remainingPoints),
      resetSeconds: Math.max(1, Math.ceil(counter.msBeforeNext / 1000)),
    };
  }
}

function countedTry(name: RateLimitName, key: string, counter: RateLimiterRes): CountedTry {
  return { name, key, remaining: counter.remainingPoints, windowEnd: performance.now() + counter.msBeforeNext };
}
