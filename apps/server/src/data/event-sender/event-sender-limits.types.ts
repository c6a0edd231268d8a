import { RateLimitConfig } from '../../common/http/rate-limit.config.js';
import { rateLimit } from '../../common/http/rate-limits.js';
import { MINUTE } from '../../common/time.js';

/** Calls of one token. Too many a second for a row in a database. */
export const EVENT_SENDER_CALLS = rateLimit({
  name: 'eventSenderCalls',
  config: RateLimitConfig,
  points: (config) => config.eventSender,
  windowSeconds: MINUTE,
  inMemory: true,
});

/** Events of kind `custom` of one organisation: what comes on top is only counted in the metrics. */
export const CUSTOM_EVENTS = rateLimit({
  name: 'customEvents',
  config: RateLimitConfig,
  points: () => 60,
  windowSeconds: MINUTE,
});
