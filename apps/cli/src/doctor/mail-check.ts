import { type LoadedConfig } from '../../../server/src/common/config/load-config.js';
import { ServerConfig } from '../../../server/src/common/config/server.config.js';
import { MailConfig } from '../../../server/src/platform/mail/mail.config.js';
import { SmtpService } from '../../../server/src/platform/mail/smtp.service.js';
import { failed, type Finding, ok } from './finding.js';

const CHECK = 'mail';

/** Advice by a part of the reason. */
const ADVICE: readonly (readonly [RegExp, string])[] = [
  [/EAUTH/, 'Correct SMTP_USERNAME and SMTP_PASSWORD'],
  [/ECONNREFUSED|EDNS|ENOTFOUND/, 'Correct SMTP_HOST and SMTP_PORT, or start the mail server'],
  [/ETLS|STARTTLS/, 'Set SMTP_SECURITY to what the server offers: tls, starttls, or none on the same machine only'],
  [
    /certificate|CERT|ESOCKET|SSL/i,
    'Set SMTP_CA_FILE to the authority of its certificate, SMTP_HOST to the name in it, and SMTP_SECURITY to what the server speaks',
  ],
  [/ETIMEDOUT|ECONNECTION/, 'Check for a firewall, and whether SMTP_PORT and SMTP_SECURITY match'],
];

/** Connects, encrypts and logs in as for a mail, but sends none. */
export async function checkMail(config: LoadedConfig): Promise<Finding> {
  const mail = config.get(MailConfig);
  const place = `${mail.host ?? ''}:${mail.port}`;
  if (mail.host === undefined) return ok(CHECK, 'no mail server is set (SMTP_HOST): nothing is mailed');
  let smtp: SmtpService | undefined;
  try {
    smtp = new SmtpService(mail, config.get(ServerConfig));
    await smtp.verify();
  } catch (error) {
    const reason = error instanceof Error ? error.message.split('\n').at(-1)!.trim() : String(error);
    const advice =
      ADVICE.find(([pattern]) => pattern.test(reason))?.[1] ??
      'Compare the settings with those of the mail server (docs/guide/mail.md)';
    return failed(CHECK, `${place} does not accept mail: ${reason}`, advice);
  } finally {
    smtp?.onApplicationShutdown();
  }
  const how = { starttls: 'encrypted by STARTTLS', tls: 'encrypted by TLS', none: 'not encrypted' }[mail.security];
  const login = mail.username === undefined ? 'without a login' : 'logged in';
  return ok(CHECK, `${place} answers, ${how}, ${login}; no mail was sent`);
}
