import { MINUTE } from '../time.js';
import { Setting } from '../config/setting.decorator.js';
import { rateLimit } from './rate-limits.js';

/** The general limits of requests. Areas define their own limits in their config classes. */
export class RateLimitConfig {
  @Setting({
    env: 'PLUMBLINE_LIMIT_API',
    type: 'int',
    min: 1,
    max: 1_000_000,
    unit: 'per minute',
    sentence: 'API requests of one session or token.',
  })
  api = 600;

  @Setting({
    env: 'PLUMBLINE_LIMIT_ORG_API',
    type: 'int',
    min: 1,
    max: 10_000_000,
    unit: 'per minute and process',
    defaultText: '10 times `PLUMBLINE_LIMIT_API`',
    sentence: 'API requests of all sessions and tokens of one organisation.',
  })
  orgApi: number | undefined;

  @Setting({
    env: 'PLUMBLINE_LIMIT_ANONYMOUS',
    type: 'int',
    min: 1,
    max: 1_000_000,
    unit: 'per minute',
    sentence: 'API requests without valid credential from one address.',
  })
  anonymous = 60;

  @Setting({
    env: 'PLUMBLINE_LIMIT_HEAVY',
    type: 'int',
    min: 1,
    max: 1_000_000,
    unit: 'per minute',
    sentence: 'Watcher previews, related metrics and bundles with them, of one session or token.',
  })
  heavy = 30;

  @Setting({
    env: 'PLUMBLINE_LIMIT_EVENT_SENDER',
    type: 'int',
    min: 1,
    max: 1_000_000,
    unit: 'per minute',
    sentence: 'Browser event reports of one token.',
  })
  eventSender = 600;

  @Setting({
    env: 'PLUMBLINE_LIMIT_TEST_MESSAGES',
    type: 'int',
    min: 1,
    max: 1_000_000,
    unit: 'per 10 minutes',
    sentence: 'Test alerts and tests of integrations of one organisation.',
  })
  testMessages = 10;
}

/** Requests of one session or token. */
export const API_REQUESTS = rateLimit({
  name: 'api',
  config: RateLimitConfig,
  points: (config) => config.api,
  windowSeconds: MINUTE,
});

/**
 * Requests of all sessions and tokens of one organisation: a tenant with many tokens leaves capacity for the others.
 * Counted in memory: a single row for all requests of an organisation would be a bottleneck.
 */
export const ORG_API_REQUESTS = rateLimit({
  name: 'orgApi',
  config: RateLimitConfig,
  points: (config) => config.orgApi ?? 10 * config.api,
  windowSeconds: MINUTE,
  inMemory: true,
});

/** Requests without valid credential. */
export const ANONYMOUS_REQUESTS = rateLimit({
  name: 'anonymous',
  config: RateLimitConfig,
  points: (config) => config.anonymous,
  windowSeconds: MINUTE,
});

/** Calls with expensive reads or replays: related metrics, bundles with them, previews. */
export const HEAVY_REQUESTS = rateLimit({
  name: 'heavy',
  config: RateLimitConfig,
  points: (config) => config.heavy,
  windowSeconds: MINUTE,
});
