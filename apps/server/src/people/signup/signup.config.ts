import { Setting } from '../../common/config/setting.decorator.js';
import { SIGNUP_MODES, type SignupModeName } from './signup.types.js';

/** The sign-up mode, and the limits of attempts. */
export class SignupConfig {
  @Setting({
    env: 'SIGNUP_MODE',
    type: 'enum',
    values: SIGNUP_MODES,
    sentence:
      'Who can sign up and create an organisation: everyone (open), the first user while there is no organisation (first), or no one (closed).',
  })
  mode: SignupModeName = 'first';

  @Setting({
    env: 'PLUMBLINE_LIMIT_SIGNUP_ADDRESS',
    type: 'int',
    min: 1,
    max: 100_000,
    unit: 'per hour',
    sentence: 'Sign-up calls from one address.',
  })
  signupAddress = 10;
}
