import { HOUR } from '../time.js';
import { Setting } from '../config/setting.decorator.js';

/** Requests and tries that are allowed. A limit is `points` per window of seconds; the windows are fixed. */
export class RateLimitConfig {
  @Setting({
    env: 'PLUMBLINE_LIMIT_API',
    type: 'int',
    min: 1,
    max: 1_000_000,
    unit: 'per minute',
    sentence: 'API requests of one session or token.',
  })
  api = 600;

  @Setting({
    env: 'PLUMBLINE_LIMIT_ANONYMOUS',
    type: 'int',
    min: 1,
    max: 1_000_000,
    unit: 'per minute',
    sentence: 'API requests without valid credential from one address.',
  })
  anonymous = 60;

  @Setting({
    env: 'PLUMBLINE_LIMIT_PICTURES',
    type: 'int',
    min: 1,
    max: 1_000_000,
    unit: 'per minute',
    sentence: 'Images and graphs for one session, token or address.',
  })
  pictures = 120;

  @Setting({
    env: 'PLUMBLINE_LIMIT_HEAVY',
    type: 'int',
    min: 1,
    max: 1_000_000,
    unit: 'per minute',
    sentence: 'Watcher previews, related metrics and bundles with them, of one session or token.',
  })
  heavy = 30;

  @Setting({
    env: 'PLUMBLINE_LIMIT_EVENT_SENDER',
    type: 'int',
    min: 1,
    max: 1_000_000,
    unit: 'per minute',
    sentence: 'Browser event reports of one token.',
  })
  eventSender = 600;

  @Setting({
    env: 'PLUMBLINE_LIMIT_INGEST_REQUESTS',
    type: 'int',
    min: 1,
    max: 10_000_000,
    unit: 'per minute',
    sentence: 'Ingest requests of one token.',
  })
  ingestRequests = 6000;

  @Setting({
    env: 'PLUMBLINE_LIMIT_INGEST_POINTS',
    type: 'int',
    min: 1,
    max: 1_000_000_000,
    unit: 'per minute',
    sentence: 'Points that one token may send.',
  })
  ingestPoints = 2_000_000;

  @Setting({
    env: 'PLUMBLINE_LIMIT_LOGIN_ACCOUNT',
    type: 'int',
    min: 1,
    max: 10_000,
    unit: 'per 15 minutes',
    sentence: 'Failed logins and codes of one account.',
  })
  loginAccount = 10;

  @Setting({
    env: 'PLUMBLINE_LIMIT_LOGIN_ADDRESS',
    type: 'int',
    min: 1,
    max: 100_000,
    unit: 'per 15 minutes',
    sentence: 'Failed logins and codes from one address.',
  })
  loginAddress = 30;

  @Setting({
    env: 'PLUMBLINE_LIMIT_CODE_ACCOUNT',
    type: 'int',
    min: 1,
    max: 10_000,
    unit: 'per 15 minutes',
    sentence: 'Mails with a login code for one account.',
  })
  codeAccount = 10;

  @Setting({
    env: 'PLUMBLINE_LIMIT_FORGOT_ACCOUNT',
    type: 'int',
    min: 1,
    max: 10_000,
    unit: 'per hour',
    sentence: 'Mails with a reset link for one account.',
  })
  forgotAccount = 5;

  @Setting({
    env: 'PLUMBLINE_LIMIT_FORGOT_ADDRESS',
    type: 'int',
    min: 1,
    max: 100_000,
    unit: 'per hour',
    sentence: 'Requests for a reset link from one address.',
  })
  forgotAddress = 20;

  @Setting({
    env: 'PLUMBLINE_LIMIT_RESET_ADDRESS',
    type: 'int',
    min: 1,
    max: 100_000,
    unit: 'per hour',
    sentence: 'Password resets from one address.',
  })
  resetAddress = 20;

  @Setting({
    env: 'PLUMBLINE_LIMIT_MAILED_ADDRESS',
    type: 'int',
    min: 1,
    max: 100_000,
    unit: 'per hour',
    sentence: 'Invitations and confirmations that users make go to one e-mail address.',
  })
  mailedAddress = 10;

  @Setting({
    env: 'PLUMBLINE_LIMIT_SIGNUP_ADDRESS',
    type: 'int',
    min: 1,
    max: 100_000,
    unit: 'per hour',
    sentence: 'Sign-up calls from one address.',
  })
  signupAddress = 10;

  @Setting({
    env: 'PLUMBLINE_LIMIT_PAYMENT_CALLBACK',
    type: 'int',
    min: 1,
    max: 1_000_000,
    unit: 'per minute',
    sentence: 'Messages of the payment provider from one address; they do not count as requests without credential.',
  })
  paymentCallback = 600;
}

/** Name of a limit: a field of RateLimitConfig. */
export type RateLimitName = keyof RateLimitConfig;

/** Window of each limit, in seconds. */
export const RATE_LIMIT_SECONDS: Readonly<Record<RateLimitName, number>> = {
  api: 60,
  anonymous: 60,
  pictures: 60,
  heavy: 60,
  eventSender: 60,
  ingestRequests: 60,
  ingestPoints: 60,
  loginAccount: 900,
  loginAddress: 900,
  codeAccount: 900,
  forgotAccount: HOUR,
  forgotAddress: HOUR,
  resetAddress: HOUR,
  mailedAddress: HOUR,
  signupAddress: HOUR,
  paymentCallback: 60,
};

/** Limits that count by address, also for callers with a credential. */
export const LIMITED_BY_ADDRESS: ReadonlySet<RateLimitName> = new Set([
  'loginAddress',
  'forgotAddress',
  'resetAddress',
  'signupAddress',
  'paymentCallback',
]);

/** Limits that hold in place of the general ones: of callers that prove who they are by other means than a credential. */
export const INSTEAD_OF_GENERAL: ReadonlySet<RateLimitName> = new Set(['paymentCallback']);
