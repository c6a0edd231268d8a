import { rateLimit } from '../../common/http/rate-limits.js';
import { HOUR } from '../../common/time.js';
import { SessionConfig } from './session.config.js';

/** Requests for a reset link from one address. */
export const FORGOT_ADDRESS = rateLimit({
  name: 'forgotAddress',
  config: SessionConfig,
  points: (config) => config.forgotAddress,
  windowSeconds: HOUR,
  byAddress: true,
});

/** Uses of mailed tokens from one address: new passwords, confirmed e-mail addresses. */
export const RESET_ADDRESS = rateLimit({
  name: 'resetAddress',
  config: SessionConfig,
  points: (config) => config.resetAddress,
  windowSeconds: HOUR,
  byAddress: true,
});
