import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { Transactions, type Tx } from '../../common/database/transactions.js';
import { dateTime } from '../../common/display/display.js';
import { RefusalCounts } from '../../common/telemetry/refusal-counts.js';
import { MINUTE } from '../../common/time.js';
import { OrgService } from '../../people/org/org.service.js';
import { EventRecorderService } from '../../platform/event/event-recorder.service.js';
import { MailerService } from '../../platform/mail/mailer.service.js';
import { type OperatorAlertEntity } from './admin-alert.entity.js';
import { AdminAlertRepository } from './admin-alert.repository.js';

/** An organisation must be at its limits for this long before the operator is notified. Seconds. */
const WAIT_SECONDS = 5 * MINUTE;
/** It is over after this time without a refused request. */
const QUIET_SECONDS = 15 * MINUTE;
/** Before that notification, a pause of this length restarts the count. */
const PAUSE_SECONDS = 3 * MINUTE;

/**
 * Notifies the operator of the installation that an organisation has been at its limits for some minutes, and when that
 * is over: by mail to OPERATOR_EMAIL, and as events of the organisation. The limits protect other organisations; the
 * operator decides whether this one gets more.
 */
@Injectable()
export class OperatorAlertsService implements OnModuleInit {
  constructor(
    private readonly refusals: RefusalCounts,
    private readonly alerts: AdminAlertRepository,
    private readonly orgs: OrgService,
    private readonly mailer: MailerService,
    private readonly events: EventRecorderService,
    private readonly transactions: Transactions,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.refusals.onLimited((orgId, requests) =>
      this.alerts.noteRefused(orgId, requests, this.clock.now(), PAUSE_SECONDS),
    );
  }

  /** Sends the pending alerts. */
  async run(): Promise<void> {
    const now = this.clock.now();
    for (const alert of await this.alerts.listOperatorAlertsOfAll()) {
      const { orgId, since, lastRefusedAt, notifiedAt } = alert;
      if (lastRefusedAt <= now - QUIET_SECONDS) await this.notifyRecovered(alert, now);
      else if (notifiedAt === null && lastRefusedAt - since >= WAIT_SECONDS) await this.notifyRaised(orgId, alert, now);
    }
  }

  private async notifyRaised(orgId: number, { since, requests }: OperatorAlertEntity, now: number): Promise<void> {
    const what = `${String(requests)} of its requests were refused since ${dateTime(since, 'UTC')} UTC.`;
    await this.transactions.run(async (tx) => {
      if (!(await this.alerts.claimNotification(orgId, now, tx))) return;
      await this.mail(orgId, 'is at its limits', [what, 'Other organisations are not affected.'], tx);
      this.record(orgId, 'admin_alert_raised', `The organisation is at its limits: ${what}`, tx);
    });
  }

  private async notifyRecovered({ orgId, notifiedAt, lastRefusedAt }: OperatorAlertEntity, now: number): Promise<void> {
    const what = `The last request was refused at ${dateTime(lastRefusedAt, 'UTC')} UTC.`;
    await this.transactions.run(async (tx) => {
      const isOver = await this.alerts.forgetOperatorAlert(orgId, now - QUIET_SECONDS, tx);
      if (!isOver || notifiedAt === null) return;
      await this.mail(orgId, 'is below its limits again', [what], tx);
      this.record(orgId, 'admin_alert_recovered', `The organisation is below its limits again. ${what}`, tx);
    });
  }

  private async mail(orgId: number, says: string, paragraphs: string[], tx: Tx): Promise<void> {
    const to = this.mailer.operatorAddress;
    if (to === undefined || !this.mailer.isConfigured) return;
    const { name } = await this.orgs.getById(orgId, tx);
    const heading = `The organisation ${name} (${String(orgId)}) ${says}`;
    await this.mailer.queue({ to, subject: heading, content: { heading, paragraphs }, orgId: null }, tx);
  }

  private record(orgId: number, type: 'admin_alert_raised' | 'admin_alert_recovered', message: string, tx: Tx): void {
    this.events.record(
      {
        orgId,
        type,
        level: type === 'admin_alert_raised' ? 'alert' : 'notice',
        title: 'Requests are refused',
        message,
        ref: { kind: 'admin_alert', id: 'at_limits' },
        details: { code: 'at_limits' },
      },
      tx,
    );
  }
}
