import { rateLimit } from '../../common/http/rate-limits.js';
import { HOUR } from '../../common/time.js';
import { AccountConfig } from './account.config.js';

/** Mails to one e-mail address that a user has typed. */
export const MAILED_ADDRESS = rateLimit({
  name: 'mailedAddress',
  config: AccountConfig,
  points: (config) => config.mailedAddress,
  windowSeconds: HOUR,
});
