import { RateLimitConfig } from '../../common/http/rate-limit.config.js';
import { rateLimit } from '../../common/http/rate-limits.js';
import { MINUTE } from '../../common/time.js';

/** Trials of one session or token. */
export const SOURCE_TESTS = rateLimit({
  name: 'sourceTests',
  config: RateLimitConfig,
  points: (config) => config.heavy,
  windowSeconds: MINUTE,
});
