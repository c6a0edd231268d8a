import { rateLimit } from '../../common/http/rate-limits.js';
import { HOUR } from '../../common/time.js';
import { SignupConfig } from './signup.config.js';

/** Sign-up calls from one address, including visits of the demo. */
export const SIGNUP_ADDRESS = rateLimit({
  name: 'signupAddress',
  config: SignupConfig,
  points: (config) => config.signupAddress,
  windowSeconds: HOUR,
  byAddress: true,
});
