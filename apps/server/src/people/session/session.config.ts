import { Setting } from '../../common/config/setting.decorator.js';

const LOGIN_CODE_MODES = ['auto', 'on', 'off'] as const;

/** How long logins last, and whether they need a code. */
export class SessionConfig {
  @Setting({
    env: 'PLUMBLINE_SESSION_IDLE_SECONDS',
    type: 'int',
    min: 300,
    max: 31_536_000,
    unit: 'seconds',
    sentence: 'A session that is not used for this long ends.',
  })
  idleSeconds = 604_800;

  @Setting({
    env: 'PLUMBLINE_SESSION_LIFETIME_SECONDS',
    type: 'int',
    min: 300,
    max: 31_536_000,
    unit: 'seconds',
    sentence: 'A session ends after this long, however much it is used.',
  })
  lifetimeSeconds = 2_592_000;

  @Setting({
    env: 'LOGIN_CODE',
    type: 'enum',
    values: LOGIN_CODE_MODES,
    sentence:
      'Whether a login from an unknown client needs a code sent by e-mail; auto asks for it where mail can be sent.',
  })
  loginCode: (typeof LOGIN_CODE_MODES)[number] = 'auto';
}
