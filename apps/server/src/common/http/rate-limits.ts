import { Injectable, SetMetadata } from '@nestjs/common';
import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { AppError } from '../errors/app-error.js';
import { LoadedConfig } from '../config/load-config.js';
import { type ConfigClass } from '../config/setting.decorator.js';

export const RATE_LIMIT = Symbol('rate limit');

/** How a limit counts. */
interface LimitRules {
  /** Unique; counters are stored under it, so that a new name starts from zero. */
  readonly name: string;
  /** Length of the fixed windows. */
  readonly windowSeconds: number;
  /** As the limit of a route: counted by address for every caller, also for those with a credential. */
  readonly byAddress?: boolean;
  /** Each process counts what it takes itself, for what comes too often to be counted in the database. */
  readonly inMemory?: boolean;
  /** As the limit of a route: holds in place of the general limit, for callers that have no credential to present. */
  readonly insteadOfGeneral?: boolean;
}

/** A limit on requests or tries: so many points in a window. Made by `rateLimit`. */
export interface LimitDefinition extends LimitRules {
  /** Points in a window, from the settings of the process. */
  readonly points: (config: LoadedConfig) => number;
}

/**
 * Defines a limit; `points` reads how many there are from a class of settings.
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
 * A limit of this route besides the general ones (`insteadOfGeneral`: in place of them), counted per session, token or
 * address (`byAddress`: by address for every caller).
 */
export const RateLimit = (limit: LimitDefinition): MethodDecorator & ClassDecorator => SetMetadata(RATE_LIMIT, limit);

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
  name: string;
  points: number;
  windowSeconds: number;
  /** Never in the database. */
  inMemory: boolean;
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
  limit: LimitDefinition;
  key: string;
  /** Tries that were left after it. */
  remaining: number;
  /** End of the window in milliseconds of the process clock (`performance.now`). */
  windowEnd: number;
}

/** So close to the end of a window a count is left alone: taken back too late, it would be one too few in the next. */
const TAKE_BACK_MARGIN_MS = 1000;

/** A limit that is in use, with its counters. */
interface KnownLimit {
  definition: LimitDefinition;
  points: number;
  limiter: RateLimiterAbstract;
}

/** Counts requests and failed tries. `key` is what is limited: an account, an address (`addressKey`), a credential. */
@Injectable()
export class RateLimits {
  private readonly limits = new Map<string, KnownLimit>();
  /** The last count of each key that is under way. */
  private readonly counting = new Map<string, Promise<void>>();

  constructor(
    private readonly config: LoadedConfig,
    private readonly store: RateLimitStore,
  ) {}

  /** Counts `points` and answers the state. @throws RateLimitedError when the limit is passed */
  async consume(limit: LimitDefinition, key: string, points = 1): Promise<RateLimitState> {
    try {
      return this.stateOf(limit, await this.oneByOne(limit, key, () => this.limiter(limit).consume(key, points)));
    } catch (error) {
      // The library rejects with the state itself; anything else is a failure of the store.
      if (!(error instanceof RateLimiterRes)) throw error;
      throw new RateLimitedError(this.stateOf(limit, error));
    }
  }

  /**
   * For limits on failures: counts a try as failed before it is made, so that many at once cannot slip through together.
   * `takeBack` undoes it for one that turned out right. Tries that are refused do not count.
   * @throws RateLimitedError
   */
  async begin(limit: LimitDefinition, key: string): Promise<CountedTry> {
    try {
      return countedTry(limit, key, await this.oneByOne(limit, key, () => this.limiter(limit).consume(key)));
    } catch (error) {
      if (!(error instanceof RateLimiterRes)) throw error;
      await this.takeBack(countedTry(limit, key, error));
      throw new RateLimitedError(this.stateOf(limit, error));
    }
  }

  async takeBack({ limit, key, windowEnd }: Pick<CountedTry, 'limit' | 'key' | 'windowEnd'>): Promise<void> {
    if (performance.now() < windowEnd - TAKE_BACK_MARGIN_MS) await this.limiter(limit).reward(key);
  }

  /** Forgets what was counted. */
  async forget(limit: LimitDefinition, key: string): Promise<void> {
    await this.limiter(limit).delete(key);
  }

  /**
   * Counts of one key in the database change the same row: together they would only wait there for each other, and take
   * as many connections for it as there are requests.
   */
  private async oneByOne(
    limit: LimitDefinition,
    key: string,
    count: () => Promise<RateLimiterRes>,
  ): Promise<RateLimiterRes> {
    if (limit.inMemory === true) return count();
    const line = `${limit.name} ${key}`;
    const before = this.counting.get(line) ?? Promise.resolve();
    const counted = before.then(count);
    const over = counted.then(
      () => undefined,
      () => undefined,
    );
    this.counting.set(line, over);
    try {
      return await counted;
    } finally {
      if (this.counting.get(line) === over) this.counting.delete(line);
    }
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
    const made = { definition, points, limiter: this.store.limiter({ name, points, windowSeconds, inMemory }) };
    this.limits.set(name, made);
    return made;
  }

  private stateOf(limit: LimitDefinition, counter: RateLimiterRes): RateLimitState {
    return {
      limit: this.known(limit).points,
      remaining: Math.max(0, counter.remainingPoints),
      resetSeconds: Math.max(1, Math.ceil(counter.msBeforeNext / 1000)),
    };
  }
}

function countedTry(limit: LimitDefinition, key: string, counter: RateLimiterRes): CountedTry {
  return { limit, key, remaining: counter.remainingPoints, windowEnd: performance.now() + counter.msBeforeNext };
}
