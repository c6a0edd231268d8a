import { Setting, type SettingProblem } from '../../common/config/setting.decorator.js';

const SECURITY = ['none', 'starttls', 'tls'] as const;
const ADDRESS = /^[^\s@<>(),;:"[\]\\]+@[^\s@<>(),;:"[\]\\]+$/;
const ADDRESS_FORM = 'an e-mail address';

/** The mail server, and the sender of mails. Without SMTP_HOST no mail is sent. */
export class MailConfig {
  @Setting({
    env: 'SMTP_HOST',
    type: 'string',
    form: 'a host name or address',
    pattern: /^[^\s/@]+$/,
    defaultText: 'none: no mail is sent',
    sentence: 'Mail server through which Plumbline sends mails.',
  })
  host: string | undefined;

  @Setting({
    env: 'SMTP_PORT',
    type: 'int',
    min: 1,
    max: 65_535,
    defaultText: '587, or 465 with SMTP_SECURITY=tls',
    sentence: 'Port of the mail server.',
  })
  port = 587;

  @Setting({
    env: 'SMTP_SECURITY',
    type: 'enum',
    values: SECURITY,
    sentence:
      'How the connection is encrypted: starttls connects unencrypted and requires encryption before it sends anything, tls encrypts from the first byte, none never encrypts (only for a server on the same machine or network).',
  })
  security: (typeof SECURITY)[number] = 'starttls';

  @Setting({
    env: 'SMTP_USERNAME',
    type: 'string',
    defaultText: 'none: no login',
    sentence: 'Login at the mail server.',
  })
  username: string | undefined;

  @Setting({
    env: 'SMTP_PASSWORD',
    type: 'string',
    secret: true,
    defaultText: 'none',
    sentence: 'Password of that login.',
  })
  password: string | undefined;

  @Setting({
    env: 'SMTP_CA_FILE',
    type: 'string',
    form: 'a PEM file',
    defaultText: 'none: the default authorities only',
    sentence: 'Additional certificate authorities that are trusted for the mail server.',
  })
  caFile: string | undefined;

  @Setting({
    env: 'MAIL_FROM',
    type: 'string',
    pattern: ADDRESS,
    form: ADDRESS_FORM,
    defaultText: 'none; needed with SMTP_HOST',
    sentence: 'Sender address of mails.',
  })
  from: string | undefined;

  @Setting({
    env: 'MAIL_FROM_NAME',
    type: 'string',

    pattern: /^[^\u0000-\u001f\u007f]{1,100}$/,
    form: 'up to 100 characters',
    sentence: 'Sender name of mails.',
  })
  fromName = 'Plumbline';

  @Setting({
    env: 'OPERATOR_EMAIL',
    type: 'string',
    pattern: ADDRESS,
    form: ADDRESS_FORM,
    defaultText: 'none',
    sentence: 'Address that receives problem reports from users, and a mail when an organisation stays at its limits.',
  })
  operatorEmail: string | undefined;

  complete(given: ReadonlySet<string>): void {
    if (this.security === 'tls' && !given.has('SMTP_PORT')) this.port = 465;
  }

  problems(): readonly SettingProblem[] {
    const problems: SettingProblem[] = [];
    if (this.host !== undefined && this.from === undefined) {
      problems.push({ env: 'MAIL_FROM', message: 'is needed when SMTP_HOST is set' });
    }
    if ((this.username === undefined) !== (this.password === undefined)) {
      const env = this.username === undefined ? 'SMTP_USERNAME' : 'SMTP_PASSWORD';
      problems.push({ env, message: 'SMTP_USERNAME and SMTP_PASSWORD must be set together' });
    }
    return problems;
  }
}
