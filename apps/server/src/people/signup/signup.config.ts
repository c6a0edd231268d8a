import { Setting } from '../../common/config/setting.decorator.js';

const SIGNUP_MODES = ['open', 'first', 'closed'] as const;

/** Whether strangers can make organisations. */
export class SignupConfig {
  @Setting({
    env: 'SIGNUP_MODE',
    type: 'enum',
    values: SIGNUP_MODES,
    sentence:
      'Who can sign up with an organisation of their own: everybody (open), somebody while there is no organisation (first), or nobody (closed).',
  })
  mode: (typeof SIGNUP_MODES)[number] = 'first';
}
