import { Injectable, Logger } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { Clock } from '../../common/clock.js';
import { type Tx } from '../../common/database/transactions.js';
import { messageOf } from '../../common/errors/message-of.js';
import { Secrets } from '../../common/secrets/secrets.js';
import { MailConfig } from './mail.config.js';
import { MailNotConfiguredError, MailUnavailableError } from './mail.errors.js';
import { MailOutboxRepository } from './mail-outbox.repository.js';
import { MailSignalService } from './mail-signal.service.js';
import { sealMail } from './mail-sealing.js';
import { type Mail } from './mail.types.js';
import { SmtpService } from './smtp.service.js';

const AT_ONCE_MS = 10_000;
const LONGEST_ADDRESS = 254;

/** Sends mail for all areas. */
@Injectable()
export class MailerService {
  private readonly logger = new Logger(MailerService.name);

  constructor(
    private readonly config: MailConfig,
    private readonly outbox: MailOutboxRepository,
    private readonly smtp: SmtpService,
    private readonly secrets: Secrets,
    private readonly clock: Clock,
    private readonly signal: MailSignalService,
  ) {}

  /** True if a mail server is configured. */
  get isConfigured(): boolean {
    return this.smtp.isConfigured;
  }

  /** Address that receives the reports of users; undefined if none is set. */
  get operatorAddress(): string | undefined {
    return this.config.operatorEmail;
  }

  /**
   * Number of waiting mails in all organisations, and the time of the oldest (Unix seconds; null if there are none).
   */
  waiting(): Promise<{ count: number; since: number | null }> {
    return this.outbox.waitingOfAll();
  }

  /**
   * Queues the mail until the mail server has accepted it, across restarts; with `tx` it is sent only if that
   * transaction is committed. Retried after 5 s, 1, 5 and 30 minutes. A mail may arrive twice if a process dies while
   * sending it; both have the same Message-ID.
   * @throws MailNotConfiguredError, also inside a transaction: nothing was written
   */
  async queue(mail: Mail, tx?: Tx): Promise<void> {
    if (!this.isConfigured) throw new MailNotConfiguredError();
    checkAddress(mail.to);
    const id = randomUUID();
    const createdAt = this.clock.now();
    await this.outbox.insert(
      {
        id,
        orgId: mail.orgId,
        key: mail.key === undefined ? null : `${String(mail.orgId ?? 'installation')}/${mail.key}`,
        sealed: sealMail(this.secrets, id, mail),
        createdAt,
        uselessAt: mail.validSeconds === undefined ? null : createdAt + mail.validSeconds,
      },
      tx,
    );
    this.signal.mailWaits();
  }

  /**
   * Sends the mail before it returns, within at most 10 seconds; nothing is stored.
   * @throws MailNotConfiguredError, MailUnavailableError
   */
  async send(mail: Mail): Promise<void> {
    if (!this.isConfigured) throw new MailNotConfiguredError();
    checkAddress(mail.to);
    const { to, subject, content } = mail;
    try {
      const outgoing = { id: randomUUID(), createdAt: this.clock.now(), to, subject, content };
      await this.smtp.send(outgoing, AbortSignal.timeout(AT_ONCE_MS));
    } catch (error) {
      this.logger.warn(`A mail could not be sent: ${messageOf(error)}`);
      throw new MailUnavailableError();
    }
  }
}

/** Addresses were validated on input; a text that is not a single address must not reach the mail server. */
function checkAddress(address: string): void {
  if (address.length > LONGEST_ADDRESS || !/^[^\s@<>,;"\\]+@[^\s@<>,;"\\]+$/.test(address)) {
    throw new TypeError('A mail goes to one address');
  }
}
