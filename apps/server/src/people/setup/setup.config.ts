import { PLACEHOLDER_EMAIL } from '../user/user.types.js';
import { Setting } from '../../common/config/setting.decorator.js';

/** What an empty database begins with. */
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
    defaultText: 'made up and printed once',
    sentence: 'Password of the first administrator.',
  })
  adminPassword: string | undefined;

  @Setting({
    env: 'PLUMBLINE_DEMO',
    type: 'boolean',
    sentence:
      'A new database gets a demo organisation whose series contain labelled anomalies, and visitors may open demo organisations of the same kind; off disables both.',
  })
  demo = true;
}
