import { RateLimitConfig } from '../../common/http/rate-limit.config.js';
import { rateLimit } from '../../common/http/rate-limits.js';
import { MINUTE } from '../../common/time.js';

/** Previews of one session or token. */
export const TUNING_PREVIEWS = rateLimit({
  name: 'tuningPreviews',
  config: RateLimitConfig,
  points: (config) => config.heavy,
  windowSeconds: MINUTE,
});
