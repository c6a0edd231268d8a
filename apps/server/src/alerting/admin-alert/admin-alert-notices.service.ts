import { Injectable } from '@nestjs/common';
import { composeAdmin } from '#libs/alerting';
import { Clock } from '../../common/clock.js';
import { type Tx } from '../../common/database/transactions.js';
import { OrgService } from '../../people/org/org.service.js';
import { EventRecorderService } from '../../platform/event/event-recorder.service.js';
import { AlertOutboxService } from '../alert/alert-outbox.service.js';
import { AlertLinksService } from '../channel/alert-links.service.js';
import { adminAlertOf } from './admin-alert-list.js';
import { type AdminAlertEntity } from './admin-alert.entity.js';
import { type AdminAlertId } from './admin-alert.types.js';
import { AdminRecipientsService } from './admin-recipients.service.js';

/** Notices that an admin alert is raised or over: a message, and an event once the transaction is committed. */
@Injectable()
export class AdminAlertNoticesService {
  constructor(
    private readonly outbox: AlertOutboxService,
    private readonly recipients: AdminRecipientsService,
    private readonly links: AlertLinksService,
    private readonly orgs: OrgService,
    private readonly events: EventRecorderService,
    private readonly clock: Clock,
  ) {}

  /**
   * Queues the notice; returns whether there is a recipient.
   * @param alert the current state; `since` when it began, also once it is over
   */
  async enqueue(
    alert: AdminAlertEntity,
    phase: 'opened' | 'recovered',
    since: number | null,
    tx: Tx,
  ): Promise<boolean> {
    const { orgId, affectedCount, affectedMetrics } = alert;
    const { id, code, name, over } = adminAlertOf(alert.typeId);
    const org = await this.orgs.getById(orgId, tx);
    const message = phase === 'recovered' ? over : alert.message;
    const destinations = await this.recipients.destinations(orgId, alert, tx);
    const content = composeAdmin({
      phase,
      code,
      name,
      message,
      since,
      affectedCount: phase === 'recovered' ? 0 : affectedCount,
      affectedMetrics: phase === 'recovered' ? [] : affectedMetrics,
      org: { id: orgId, name: org.name },
      watcher: null,
      timezone: org.timezone,
      now: this.clock.now(),
      links: this.links.ofOrg(),
      event: {
        type: phase === 'opened' ? 'admin.raised' : 'admin.recovered',
        data: {
          alert: {
            id,
            code,
            name,
            message,
            since_timestamp: since === null ? null : Math.floor(since),
            affected_count: affectedCount,
            affected_metrics: affectedMetrics,
          },
        },
      },
    });
    await this.outbox.enqueue(
      {
        orgId,
        key: keyOf(code),
        kind: 'admin',
        phase,
        content,
        destinations,
        watcherId: null,
        watcherName: null,
        anomalyId: null,
        incidentId: null,
        metricId: null,
      },
      tx,
    );
    const isRaised = phase === 'opened';
    this.events.record(
      {
        orgId,
        type: isRaised ? 'admin_alert_raised' : 'admin_alert_recovered',
        level: isRaised ? 'alert' : 'notice',
        title: name,
        message,
        ref: { kind: 'admin_alert', id: code },
        details: { code },
      },
      tx,
    );
    return destinations.length > 0;
  }

  /** No recipient got the last notice, and none is queued. */
  isUndelivered(orgId: number, typeId: AdminAlertId, tx: Tx): Promise<boolean> {
    return this.outbox.isUndelivered(orgId, keyOf(adminAlertOf(typeId).code), tx);
  }
}

const keyOf = (code: string): string => `admin/${code}`;
