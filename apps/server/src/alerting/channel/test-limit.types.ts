import { RateLimitConfig } from '../../common/http/rate-limit.config.js';
import { rateLimit } from '../../common/http/rate-limits.js';
import { MINUTE } from '../../common/time.js';

/** Messages that an organisation sends to try a way, by integration or watcher; the key is the id of the organisation. */
export const TEST_MESSAGES = rateLimit({
  name: 'testMessages',
  config: RateLimitConfig,
  points: (config) => config.testMessages,
  windowSeconds: 10 * MINUTE,
});
