import { rateLimit } from '../../common/http/rate-limits.js';
import { DAY, HOUR } from '../../common/time.js';
import { AccountConfig } from './account.config.js';

/** Mails to one e-mail address that a user has typed. */
export const MAILED_ADDRESS = rateLimit({
  name: 'mailedAddress',
  config: AccountConfig,
  points: (config) => config.mailedAddress,
  windowSeconds: HOUR,
});

/** Invitations that an organisation has mailed in an hour. */
export const INVITATIONS_HOUR = rateLimit({
  name: 'invitationsHour',
  config: AccountConfig,
  points: (config) => config.invitationsHour,
  windowSeconds: HOUR,
});

/** Invitations that an organisation has mailed in a day. */
export const INVITATIONS_DAY = rateLimit({
  name: 'invitationsDay',
  config: AccountConfig,
  points: (config) => config.invitationsDay,
  windowSeconds: DAY,
});
