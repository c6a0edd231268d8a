import { Setting } from '../../common/config/setting.decorator.js';

const LOGIN_CODE_MODES = ['auto', 'on', 'off'] as const;

/** How long logins last, whether they need a code, and how often they may be tried. */
export class SessionConfig {
  @Setting({
    env: 'PLUMBLINE_SESSION_IDLE_SECONDS',
    type: 'int',
    min: 300,
    max: 31_536_000,
    unit: 'seconds',
    sentence: 'A session ends after this time without use.',
  })
  idleSeconds = 604_800;

  @Setting({
    env: 'PLUMBLINE_SESSION_LIFETIME_SECONDS',
    type: 'int',
    min: 300,
    max: 31_536_000,
    unit: 'seconds',
    sentence: 'A session ends after this time, even if it is used.',
  })
  lifetimeSeconds = 2_592_000;

  @Setting({
    env: 'LOGIN_CODE',
    type: 'enum',
    values: LOGIN_CODE_MODES,
    sentence: 'Whether a login from an unknown client needs a code sent by e-mail; auto: if mail can be sent.',
  })
  loginCode: (typeof LOGIN_CODE_MODES)[number] = 'auto';

  @Setting({
    env: 'PLUMBLINE_LIMIT_LOGIN_ACCOUNT',
    type: 'int',
    min: 1,
    max: 10_000,
    unit: 'per 15 minutes',
    sentence:
      'Failed logins and codes of one account by clients that are not known; each known client has a separate count with the same limit.',
  })
  loginAccount = 10;

  @Setting({
    env: 'PLUMBLINE_LIMIT_LOGIN_ADDRESS',
    type: 'int',
    min: 1,
    max: 100_000,
    unit: 'per 15 minutes',
    sentence: 'Failed logins and codes from one address by clients that are not known.',
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
}
