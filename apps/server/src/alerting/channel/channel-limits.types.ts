import { RateLimitConfig } from '../../common/http/rate-limit.config.js';
import { rateLimit } from '../../common/http/rate-limits.js';
import { MINUTE } from '../../common/time.js';
import { ChannelConfig } from './channel.config.js';

/** Test messages of an organisation, by integration or watcher; the key is the id of the organisation. */
export const TEST_MESSAGES = rateLimit({
  name: 'testMessages',
  config: RateLimitConfig,
  points: (config) => config.testMessages,
  windowSeconds: 10 * MINUTE,
});

/** Test alerts and tests of integrations of one organisation, by its id. */
export const TEST_ALERTS = rateLimit({
  name: 'testAlerts',
  config: ChannelConfig,
  points: (config) => config.testAlerts,
  windowSeconds: 10 * MINUTE,
});
