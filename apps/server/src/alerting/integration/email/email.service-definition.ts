import { type ErrorDetail } from '#libs/contracts';
import { EMAIL_KIND } from '../../../common/validation/param.decorators.js';
import { defineChannelService } from '../define-service.js';
import {
  addressPart,
  choice,
  flag,
  number,
  ofKind,
  optionalHost,
  optionalSecret,
  optionalText,
} from '../service-fields.js';

export const EMAIL = defineChannelService({
  id: 'email',
  name: 'E-mail',
  provider: 'SMTP',
  description: 'Alerts as mails with a picture of the metric.',
  orgFields: {
    smtp_host: optionalHost({
      label: 'Mail server',
      help: 'Host name. Empty: the mail server of this installation is used.',
    }),
    smtp_port: addressPart(
      number({ label: 'Port', help: '587 with STARTTLS, 465 with TLS.' }, { min: 1, max: 65_535, default: 587 }),
    ),
    smtp_security: addressPart(
      choice(
        { label: 'Encryption', help: 'starttls and tls encrypt, none does not.' },
        ['none', 'starttls', 'tls'],
        'starttls',
      ),
    ),
    smtp_username: optionalText({ label: 'User name', help: 'Login at the mail server, if it asks for one.' }),
    smtp_password: optionalSecret({ label: 'Password', help: 'Password of that login.' }),
    from_address: ofKind(
      { label: 'From address', help: 'Sender address of mails; needed with a mail server.' },
      EMAIL_KIND,
    ),
    from_name: optionalText({ label: 'From name', help: 'Sender name of mails.' }, { max: 100 }),
  },
  userFields: {
    email_alerts: flag({ label: 'Alerts by e-mail', help: 'Alerts may be sent to your address.' }, false),
  },
  problems: ({ smtp_host: host, from_address: from, smtp_username: user, smtp_password: password }) => {
    const problems: ErrorDetail[] = [];
    if (host !== undefined && from === undefined) {
      problems.push({ field: 'from_address', code: 'required', message: 'from_address is required with smtp_host' });
    }
    if ((user === undefined) !== (password === undefined)) {
      const field = user === undefined ? 'smtp_username' : 'smtp_password';
      problems.push({
        field,
        code: 'required',
        message: `${field} is required: a login has a user name and a password`,
      });
    }
    return problems;
  },
  guide: () => ({
    instructions: [
      'Alerts are sent through the mail server of this installation. To use your own server, enter its host, login and the',
      'address that mails come from. The server must be reachable from here and must take mails for the recipients of your',
      'watchers.',
    ].join(' '),
    snippets: [],
  }),
});
