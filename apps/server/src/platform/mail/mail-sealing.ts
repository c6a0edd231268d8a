import { type Secrets } from '../../common/secrets/secrets.js';
import { type Mail } from './mail.types.js';

/** Purpose of the sealed mails of `mail_outbox`. */
const MAIL_PURPOSE = 'mail';

export type SealedMail = Pick<Mail, 'to' | 'subject' | 'content'>;

/** The context that a sealed mail is bound to. */
export const boundTo = (id: string): string => `mail_outbox/${id}`;

export function sealMail(secrets: Secrets, id: string, { to, subject, content }: SealedMail): string {
  return secrets.seal(MAIL_PURPOSE, boundTo(id), JSON.stringify({ to, subject, content }));
}

/** @throws UnreadableSecretError */
export function openMail(secrets: Secrets, id: string, sealed: string): SealedMail {
  return JSON.parse(secrets.open(MAIL_PURPOSE, boundTo(id), sealed)) as SealedMail;
}
