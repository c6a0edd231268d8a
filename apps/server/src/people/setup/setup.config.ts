import { PLACEHOLDER_EMAIL } from '../user/user.types.js';
import { Setting } from '../../common/config/setting.decorator.js';

const DEMO_VISIT_MODES = ['auto', 'on', 'off'] as const;

/** Initial content of an empty database, and the visitors of the demo. */
export class SetupConfig {
  @Setting({
    env: 'PLUMBLINE_ADMIN_EMAIL',
    type: 'string',
    form: 'an e-mail address',
    sentence: 'Address of the first administrator.',
  })
  adminEmail: string = PLACEHOLDER_EMAIL;

  @Setting({
    env: 'PLUMBLINE_ADMIN_PASSWORD',
    type: 'string',
    form: '12 to 200 characters, not a common password',
    secret: true,
    defaultText: 'generated and printed once',
    sentence: 'Password of the first administrator.',
  })
  adminPassword: string | undefined;

  @Setting({
    env: 'PLUMBLINE_DEMO',
    type: 'boolean',
    sentence:
      'A new database gets a demo organisation whose series contain labelled anomalies; off: no demo and no visitors.',
  })
  demo = true;

  @Setting({
    env: 'PLUMBLINE_DEMO_VISITS',
    type: 'enum',
    values: DEMO_VISIT_MODES,
    sentence:
      'Whether anyone may look at demo organisations without an account (POST /signup/demo); auto: if `SIGNUP_MODE` is open.',
  })
  demoVisits: (typeof DEMO_VISIT_MODES)[number] = 'auto';
}
