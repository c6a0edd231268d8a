import { Injectable } from '@nestjs/common';
import { Counter, Gauge } from 'prom-client';
import { Clock } from '../../common/clock.js';
import { messageOf } from '../../common/errors/message-of.js';
import { FairQueue } from '../../common/fair-share/fair-queue.js';
import { Secrets, UnreadableSecretError } from '../../common/secrets/secrets.js';
import { type ComponentReport, ComponentReports } from '../../common/telemetry/component-reports.js';
import { MetricsRegistry } from '../../common/telemetry/metrics.js';
import { OutboxDelivery } from '../../common/outbox/outbox-delivery.js';
import { type QueueSettings } from '../../common/outbox/outbox.types.js';
import { type PendingMail, MailOutboxRepository } from './mail-outbox.repository.js';
import { openMail } from './mail-sealing.js';
import { MailRefusedError } from './mail.errors.js';
import { MailSignalService } from './mail-signal.service.js';
import { SmtpService } from './smtp.service.js';

/** Equals the number of connections. */
const AT_ONCE = 3;
/** Longer than one attempt can take, including timeouts and the wait for a connection. */
const LEASE_SECONDS = 180;
/** Pauses between the end of an attempt and the next one. */
const PAUSES_SECONDS = [5, 60, 300, 1800];
/** GET /status reports a mail that waits longer. */
const LONG_WAIT_SECONDS = 300;

type Outcome = 'sent' | 'retried' | 'refused' | 'dropped';

/**
 * Sends the waiting mails of the outbox. Several processes may do this at the same time: each mail is claimed by one of
 * them.
 */
@Injectable()
export class MailDeliveryService extends OutboxDelivery<PendingMail> {
  private readonly turns: QueueSettings = {
    turns: new FairQueue({ slots: AT_ONCE, waiting: 0, waitingPerParty: 0 }),
    party: 'mail',
    atOnce: AT_ONCE,
  };
  /** Error of the server in the last attempt; null: it succeeded. */
  private failure: { reason: string; at: number } | null = null;
  private readonly mails: Counter<'result'>;

  constructor(
    private readonly outbox: MailOutboxRepository,
    private readonly smtp: SmtpService,
    private readonly secrets: Secrets,
    clock: Clock,
    private readonly signal: MailSignalService,
    components: ComponentReports,
    metrics: MetricsRegistry,
  ) {
    super(outbox, clock, { failure: 'Queued mails could not be read', leaseSeconds: LEASE_SECONDS });
    components.register('mail', () => this.report());
    this.mails = new Counter({
      name: 'plumbline_mails_total',
      help: 'Attempts to send a mail: sent, retried (will be retried), refused (rejected permanently by the server), dropped (expired or too many attempts).',
      labelNames: ['result'],
      registers: [metrics.prometheus],
    });
    new Gauge({
      name: 'plumbline_mails_waiting',
      help: 'Mails in the outbox that wait to be sent or retried, of all organisations',
      registers: [metrics.prometheus],
      async collect() {
        this.set((await outbox.waitingOfAll()).count);
      },
    });
  }

  override onApplicationBootstrap(): unknown {
    if (this.isWanted()) this.signal.onMail(() => this.wake());
    return super.onApplicationBootstrap();
  }

  protected override isWanted(): boolean {
    return this.smtp.isConfigured && super.isWanted();
  }

  protected override turnsOf(): QueueSettings {
    return this.turns;
  }

  protected override async deliver(mail: PendingMail): Promise<void> {
    const outcome = await this.tryToSend(mail);
    this.mails.inc({ result: outcome });
    if (outcome !== 'retried') return this.outbox.finish(mail.id);
    await this.outbox.tryAgainAt(mail.id, this.clock.now() + PAUSES_SECONDS[mail.tries - 1]!);
  }

  /** Log lines contain only the id of a mail, never addresses or contents. */
  private async tryToSend({ id, sealed, createdAt, uselessAt, tries }: PendingMail): Promise<Outcome> {
    if (uselessAt !== null && this.clock.now() >= uselessAt) {
      this.logger.warn(`The mail ${id} is dropped: it expired before it could be sent`);
      return 'dropped';
    }
    try {
      const content = openMail(this.secrets, id, sealed);
      await this.smtp.send({ ...content, id, createdAt }, this.stopped.signal);
      this.failure = null;
      return 'sent';
    } catch (error) {
      const reason = messageOf(error);
      const kind = kindOf(error);
      this.failure = kind === 'server' ? { reason, at: this.clock.now() } : null;
      if (kind === 'recipient') {
        this.logger.warn(`The mail ${id} is not sent: ${reason}`);
        return 'refused';
      }
      if (tries > PAUSES_SECONDS.length) {
        this.logger.error(`The mail ${id} is dropped after ${String(tries)} tries: ${reason}`);
        return 'dropped';
      }
      const pause = PAUSES_SECONDS[tries - 1]!;
      this.logger.warn(`The mail ${id} could not be sent, retrying in ${String(pause)} s: ${reason}`);
      return 'retried';
    }
  }

  private async report(): Promise<ComponentReport> {
    if (!this.smtp.isConfigured) return { ok: true, ageSeconds: null, message: 'not set up: no mail is sent' };
    const { count, since } = await this.outbox.waitingOfAll();
    const now = this.clock.now();
    const waitedSeconds = since === null ? null : Math.max(0, Math.floor(now - since));
    const parts: string[] = [];
    if (count > 0) parts.push(`${String(count)} ${count === 1 ? 'mail waits' : 'mails wait'}`);
    if (this.failure !== null) {
      parts.push(`last try ${String(Math.floor(now - this.failure.at))} s ago: ${this.failure.reason}`);
    }
    const ok = this.failure === null && (waitedSeconds ?? 0) < LONG_WAIT_SECONDS;
    return { ok, ageSeconds: waitedSeconds, message: parts.join('; ') };
  }
}

/**
 * A mail that cannot be opened may be opened later, by a process that has the key; a mail that cannot be rendered never
 * succeeds.
 */
function kindOf(error: unknown): MailRefusedError['kind'] {
  if (error instanceof MailRefusedError) return error.kind;
  return error instanceof UnreadableSecretError ? 'later' : 'recipient';
}
