import { rateLimit } from '../../common/http/rate-limits.js';
import { HOUR } from '../../common/time.js';
import { SessionConfig } from './session.config.js';

const QUARTER_HOUR = 900;

/** Failed logins and codes of one account, by clients that are not known. */
export const LOGIN_ACCOUNT = rateLimit({
  name: 'loginAccount',
  config: SessionConfig,
  points: (config) => config.loginAccount,
  windowSeconds: QUARTER_HOUR,
});

/**
 * Failed logins from one known client, and wrong passwords that one user gives while logged in. Apart from those of
 * strangers: a client that has proven to be the owner of the account is not slowed by others who guess.
 */
export const LOGIN_OWNER = rateLimit({
  name: 'loginOwner',
  config: SessionConfig,
  points: (config) => config.loginAccount,
  windowSeconds: QUARTER_HOUR,
});

/** Failed logins and codes from one address, by clients that are not known. */
export const LOGIN_ADDRESS = rateLimit({
  name: 'loginAddress',
  config: SessionConfig,
  points: (config) => config.loginAddress,
  windowSeconds: QUARTER_HOUR,
  byAddress: true,
});

/** Mails with a login code for one account. */
export const CODE_ACCOUNT = rateLimit({
  name: 'codeAccount',
  config: SessionConfig,
  points: (config) => config.codeAccount,
  windowSeconds: QUARTER_HOUR,
});

/** Mails with a reset link for one account. */
export const FORGOT_ACCOUNT = rateLimit({
  name: 'forgotAccount',
  config: SessionConfig,
  points: (config) => config.forgotAccount,
  windowSeconds: HOUR,
});

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
