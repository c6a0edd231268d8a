import { Injectable } from '@nestjs/common';
import { type AlertContent, type Destination } from '#libs/alerting';
import { ServerConfig } from '../../../common/config/server.config.js';
import { type Tx } from '../../../common/database/transactions.js';
import { MailRefusedError } from '../../../platform/mail/mail.errors.js';
import { SmtpService } from '../../../platform/mail/smtp.service.js';
import { type ComposedMail, type SmtpOptions } from '../../../platform/mail/smtp.types.js';
import { TenantMailServersService } from '../../../platform/mail/tenant-mail-servers.service.js';
import { ALERT_PATHS } from '../../channel/alert-paths.functions.js';
import { AlertPicturesService } from '../../channel/alert-pictures.service.js';
import { ChannelError } from '../../channel/channel.errors.js';
import { type Channel, type ChannelMessage, type ChannelReceipt } from '../../channel/channel.types.js';
import { type ConnectedSettings, IntegrationSettingsService } from '../integration-settings.service.js';
import { MAIL_PICTURE, oneLine, renderAlertMail } from './alert-mail.js';

/** The reference for later mails about the same subject. */
interface MailThread {
  /** With its angle brackets. */
  messageId: string;
  subject: string;
}

const SUBJECT_PREFIXES = {
  opened: '',
  updated: '[Update] ',
  acknowledged: '[Acknowledged] ',
  recovered: '[Recovered] ',
  closed: '[Closed] ',
} as const;

const PICTURE_CID = 'graph@plumbline';

/** Alerts as mails: by the mail server of the organisation, or else by that of the installation. */
@Injectable()
export class EmailChannel implements Channel {
  readonly id = 'email';
  /** A repeated mail has the same Message-ID; most mailboxes show only one, but SMTP does not guarantee it. */
  readonly isIdempotent = false;
  readonly canUpdate = false;
  readonly repeatSeconds = null;

  constructor(
    private readonly settings: IntegrationSettingsService,
    private readonly smtp: SmtpService,
    private readonly tenantServers: TenantMailServersService,
    private readonly pictures: AlertPicturesService,
    private readonly config: ServerConfig,
  ) {}

  async missing(orgId: number, _destination?: Destination, tx?: Tx): Promise<string | null> {
    const settings = await this.settings.of(orgId, 'email', tx);
    if (settings === null) return 'neither the organisation nor the installation has a mail server';
    return settings.from_address === null ? 'the sender address of mails is not set' : null;
  }

  async send(message: ChannelMessage, signal: AbortSignal): Promise<ChannelReceipt> {
    const settings = await this.settings.connected(message.orgId, 'email');
    const first = readThread(message.thread);
    const mail = await this.compose(message, first);
    try {
      const messageId = await this.sendBy(settings, message.orgId, mail, signal);
      return { thread: writeThread(first ?? { messageId, subject: mail.subject }) };
    } catch (error) {
      if (!(error instanceof MailRefusedError)) throw error;
      throw new ChannelError(error.kind === 'recipient' ? 'never' : 'later', error.message);
    }
  }

  private async compose(message: ChannelMessage, first: MailThread | null): Promise<AlertMail> {
    const { id, content, destination, createdAt } = message;
    const png = await this.pictures.findFor(message, MAIL_PICTURE);
    const home = this.config.publicUrl;
    const settings = settingsPage(content, home);
    return {
      id,
      createdAt,
      to: destination.recipient,
      subject: subjectOf(content, first),
      ...renderAlertMail(content, { pictureCid: png === null ? null : PICTURE_CID, home, settings }),
      headers: listHeaders(content, home, settings),
      ...(first === null ? {} : { replyTo: first.messageId }),
      ...(png === null ? {} : { pictures: [{ cid: PICTURE_CID, name: 'graph.png', png }] }),
    };
  }

  private sendBy(settings: EmailSettings, orgId: number, mail: AlertMail, signal: AbortSignal): Promise<string> {
    const { smtp_host: host, from_address: address, from_name: name } = settings;
    if (settings.isOfInstance) return this.smtp.sendComposed(mail, signal);
    if (host === null || address === null) {
      throw new ChannelError('later', 'the sender address of mails is not set');
    }
    const from = { name: name ?? 'Plumbline', address };
    return this.tenantServers.send(orgId, serverOf(settings, host), { ...mail, from }, signal);
  }
}

type AlertMail = Omit<ComposedMail, 'from'>;
type EmailSettings = ConnectedSettings<'email'>;

function serverOf(settings: EmailSettings, host: string): SmtpOptions {
  const { smtp_port: port, smtp_security: security, smtp_username: user, smtp_password: pass } = settings;
  return { host, port, security, login: user === null || pass === null ? null : { user, pass } };
}

/** The page where the reader can stop such mails; null if there is none. */
function settingsPage({ kind, isTest, watcher }: AlertContent, home: string): string | null {
  if (watcher !== null) return `${home}${ALERT_PATHS.watcher(watcher.id)}`;
  if (isTest) return null;
  return `${home}${kind === 'admin' ? ALERT_PATHS.adminAlerts : ALERT_PATHS.watchers}`;
}

/** Headers with which mail programs sort, and readers unsubscribe. */
function listHeaders({ org, watcher, links }: AlertContent, home: string, settings: string | null) {
  const id = `${watcher === null ? 'alerts' : `watcher-${String(watcher.id)}`}.org-${String(org.id)}`;
  return {
    'List-Id': `<${id}.${new URL(home).hostname}>`,
    'List-Unsubscribe': `<${settings ?? links.console}>`,
  };
}

export const writeThread = ({ messageId, subject }: MailThread): string => `${messageId} ${oneLine(subject)}`;

/** Null for a text that `writeThread` did not write. */
export function readThread(text: string | null): MailThread | null {
  const found = /^(<[^<>\s]+>) (.*)$/.exec(text ?? '');
  return found === null ? null : { messageId: found[1]!, subject: found[2]! };
}

/**
 * Later mails keep the subject of the first one behind a word in brackets: mail programs that group by subject leave
 * such words out (base subject of RFC 5256), and the reader sees at a glance which subjects are over.
 */
export function subjectOf(content: AlertContent, thread: MailThread | null): string {
  return thread === null
    ? oneLine(content.title)
    : SUBJECT_PREFIXES[content.isClosed === true ? 'closed' : content.phase] + thread.subject;
}
