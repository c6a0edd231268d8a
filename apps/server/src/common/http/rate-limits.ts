import { Injectable, SetMetadata } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { Clock } from '../clock.js';
import { AppError } from '../errors/app-error.js';
import { LoadedConfig } from '../config/load-config.js';
import { type ConfigClass } from '../config/setting.decorator.js';
import { CoalescedCounts } from './coalesced-counts.js';

export const RATE_LIMIT = Symbol('rate limit');

/** How a limit counts. */
interface LimitRules {
  /** Unique; counters are stored under it, so a new name starts from zero. */
  readonly name: string;
  /** Length of the fixed windows. */
  readonly windowSeconds: number;
  /** For the limit of a route: counts by address for every caller, including those with a credential. */
  readonly byAddress?: boolean;
  /** Each process counts its own requests, if they are too frequent to be counted in the database. */
  readonly inMemory?: boolean;
  /** For the limit of a route: replaces the general limit, for callers that cannot have a credential. */
  readonly insteadOfGeneral?: boolean;
}

/** A limit on requests or tries: a number of points in a window. Created by `rateLimit`. */
export interface LimitDefinition extends LimitRules {
  /** Points in a window, from the settings of the process. */
  readonly points: (config: LoadedConfig) => number;
}

/**
 * Defines a limit; `points` reads its size from a class of settings.
 *
 * ```ts
 * export const MAILED_ADDRESS = rateLimit({
 *   name: 'mailedAddress',
 *   config: AccountConfig,
 *   points: (config) => config.mailedAddress,
 *   windowSeconds: HOUR,
 * });
 * ```
 */
export function rateLimit<Config extends object>({
  config: configClass,
  points,
  ...rules
}: LimitRules & { config: ConfigClass<Config>; points: (config: Config) => number }): LimitDefinition {
  return { ...rules, points: (config) => points(config.get(configClass)) };
}

/**
 * A limit of this route in addition to the general ones (`insteadOfGeneral`: instead of them), counted per session,
 * token or address (`byAddress`: by address for every caller).
 */
export const RateLimit = (limit: LimitDefinition): MethodDecorator & ClassDecorator => SetMetadata(RATE_LIMIT, limit);

export class RateLimitedError extends AppError {
  constructor(readonly state: RateLimitState) {
    super('rate_limited', `Too many requests; try again in ${String(state.resetSeconds)} s.`, [], state.resetSeconds);
  }
}

/** The state of a counter, for the `X-RateLimit-*` headers. */
export interface RateLimitState {
  limit: number;
  remaining: number;
  /** Seconds until the window ends, at least 1. */
  resetSeconds: number;
}

/** A limit for a store: `points` per fixed window. */
export interface LimiterOptions {
  name: string;
  points: number;
  windowSeconds: number;
  /** Never in the database. */
  inMemory: boolean;
}

/**
 * The store of the counters. In memory a limit applies per process; with a shared store it applies to the installation.
 */
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

/** A counted try, which can be undone while its window lasts. */
export interface CountedTry {
  limit: LimitDefinition;
  key: string;
  /** Number of remaining tries. */
  remaining: number;
  /** End of the window in milliseconds of the process clock (`performance.now`). */
  windowEnd: number;
}

/**
 * This close to the end of a window a count is not undone: if the undo came late, the next window would lack a count.
 */
const TAKE_BACK_MARGIN_MS = 1000;

/**
 * A refused try is refused again for this time without a query of the store. Short, because another process can undo
 * tries.
 */
const REFUSED_SECONDS = 1;
const REMEMBERED_REFUSALS = 10_000;

/** An active limit with its counters. */
interface KnownLimit {
  definition: LimitDefinition;
  points: number;
  limiter: RateLimiterAbstract;
}

/**
 * Counts requests and failed tries. `key` is the limited party: an account, an address (`addressKey`), a credential.
 */
@Injectable()
export class RateLimits {
  private readonly limits = new Map<string, KnownLimit>();
  private readonly counts = new CoalescedCounts();
  /** Recently refused tries: their time and state. */
  private readonly refused = new LRUCache<string, { since: number; counter: RateLimiterRes }>({
    max: REMEMBERED_REFUSALS,
  });

  constructor(
    private readonly config: LoadedConfig,
    private readonly store: RateLimitStore,
    private readonly clock: Clock,
  ) {}

  /** Counts `points` and returns the state. @throws RateLimitedError if the limit is exceeded */
  async consume(limit: LimitDefinition, key: string, points = 1): Promise<RateLimitState> {
    try {
      return this.stateOf(limit, await this.count(limit, key, points));
    } catch (error) {
      // The library rejects with the state itself; anything else is a failure of the store.
      if (!(error instanceof RateLimiterRes)) throw error;
      throw new RateLimitedError(this.stateOf(limit, error));
    }
  }

  /**
   * For limits on failures: counts a try as failed before it starts, so that many concurrent ones cannot pass together.
   * `takeBack` undoes it for a successful one. Refused tries do not count.
   * @throws RateLimitedError
   */
  async begin(limit: LimitDefinition, key: string): Promise<CountedTry> {
    const refused = this.refusedLately(limit, key);
    if (refused) throw new RateLimitedError(this.stateOf(limit, refused));
    try {
      return countedTry(limit, key, await this.count(limit, key, 1));
    } catch (error) {
      if (!(error instanceof RateLimiterRes)) throw error;
      await this.takeBack(countedTry(limit, key, error));
      this.refused.set(lineOf(limit, key), { since: this.clock.now(), counter: error });
      throw new RateLimitedError(this.stateOf(limit, error));
    }
  }

  async takeBack({ limit, key, windowEnd }: Pick<CountedTry, 'limit' | 'key' | 'windowEnd'>): Promise<void> {
    if (performance.now() >= windowEnd - TAKE_BACK_MARGIN_MS) return;
    await this.limiter(limit).reward(key);
    this.refused.delete(lineOf(limit, key));
  }

  /** Resets the count. */
  async forget(limit: LimitDefinition, key: string): Promise<void> {
    await this.limiter(limit).delete(key);
    this.refused.delete(lineOf(limit, key));
  }

  private count(limit: LimitDefinition, key: string, points: number): Promise<RateLimiterRes> {
    const { limiter, points: most } = this.known(limit);
    if (limit.inMemory === true) return limiter.consume(key, points);
    return this.counts.count(lineOf(limit, key), points, most, (sum) => limiter.consume(key, sum));
  }

  private refusedLately(limit: LimitDefinition, key: string): RateLimiterRes | undefined {
    const found = this.refused.get(lineOf(limit, key));
    if (!found) return undefined;
    const passed = this.clock.now() - found.since;
    return passed >= 0 && passed < REFUSED_SECONDS ? found.counter : undefined;
  }

  private limiter(limit: LimitDefinition): RateLimiterAbstract {
    return this.known(limit).limiter;
  }

  private known(definition: LimitDefinition): KnownLimit {
    const { name, windowSeconds, inMemory = false } = definition;
    const known = this.limits.get(name);
    if (known) {
      // They would share their counters.
      if (known.definition !== definition) throw new Error(`Two limits have the name ${name}`);
      return known;
    }
    const points = definition.points(this.config);
    const created = { definition, points, limiter: this.store.limiter({ name, points, windowSeconds, inMemory }) };
    this.limits.set(name, created);
    return created;
  }

  private stateOf(limit: LimitDefinition, counter: RateLimiterRes): RateLimitState {
    return {
      limit: this.known(limit).points,
      remaining: Math.max(0, counter.remainingPoints),
      resetSeconds: Math.max(1, Math.ceil(counter.msBeforeNext / 1000)),
    };
  }
}

function lineOf({ name }: LimitDefinition, key: string): string {
  return `${name} ${key}`;
}

function countedTry(limit: LimitDefinition, key: string, counter: RateLimiterRes): CountedTry {
  return { limit, key, remaining: counter.remainingPoints, windowEnd: performance.now() + counter.msBeforeNext };
}
