import { Injectable } from '@nestjs/common';
import { type AlertContent, composeSummary, type Destination } from '#libs/alerting';
import { type Tx } from '../../common/database/transactions.js';
import { parseChip } from '../../data/chips/chips.js';
import { type Org } from '../../people/org/org.types.js';
import { UserService } from '../../people/user/user.service.js';
import { AlertOutboxService } from '../alert/alert-outbox.service.js';
import { AlertLinksService } from '../channel/alert-links.service.js';
import { type ScheduledSummary, type Watcher } from '../watcher/watcher.types.js';
import { AlertSummaryRepository, type SummarySpan } from './alert-summary.repository.js';

/** A period and its frequency. */
export interface ReportedSpan extends SummarySpan {
  frequency: 'daily' | 'weekly' | 'monthly';
}

/** Writes the reports of watchers. */
@Injectable()
export class SummaryLettersService {
  constructor(
    private readonly summaries: AlertSummaryRepository,
    private readonly users: UserService,
    private readonly outbox: AlertOutboxService,
    private readonly links: AlertLinksService,
  ) {}

  /** Writes to the outbox; returns the number of recipients. */
  async send(org: Org, { watcher, scheduledAt }: ScheduledSummary, span: ReportedSpan, tx: Tx): Promise<number> {
    const destinations = await this.destinationsOf(org.id, watcher);
    if (destinations.length === 0) return 0;
    await this.outbox.enqueue(
      {
        orgId: org.id,
        key: `summary/watcher/${String(watcher.id)}/${String(scheduledAt)}`,
        kind: 'summary',
        phase: 'opened',
        content: await this.contentOf(org, watcher, span, tx),
        destinations,
        watcherId: watcher.id,
        watcherName: watcher.name,
        anomalyId: null,
        incidentId: null,
        metricId: null,
      },
      tx,
    );
    return destinations.length;
  }

  private async contentOf(org: Org, watcher: Watcher, span: ReportedSpan, tx: Tx): Promise<AlertContent> {
    const { from, until, frequency } = span;
    const chips = watcher.chips.map(parseChip);
    const counts = await this.summaries.counts(org.id, chips, span);
    const before = await this.summaries.counts(org.id, chips, { from: from - (until - from), until: from });
    const messages = await this.summaries.messages(org.id, watcher.id, span, tx);
    const incidents = await this.summaries.incidents(org.id, chips, span);
    return composeSummary({
      org: { id: org.id, name: org.name },
      watcher: { id: watcher.id, name: watcher.name },
      timezone: org.timezone,
      now: until,
      links: this.links.ofWatcher(org.id, watcher.id, null),
      event: { type: 'summary', data: {} },
      frequency,
      from,
      until,
      counts: {
        ...counts,
        metricsWatched: await this.summaries.countMetrics(org.id, chips),
        messagesSent: messages.sent,
        messagesSuppressed: messages.suppressed,
      },
      anomaliesBefore: watcher.createdTimestamp > from - (until - from) ? null : before.anomalies,
      incidents: incidents.map((incident) => ({
        ...incident,
        url: this.links.ofIncident(org.id, { id: incident.id, metricsCount: 2 }, null).console,
      })),
    });
  }

  private async destinationsOf(orgId: number, { recipients }: Watcher): Promise<Destination[]> {
    const users = await this.users.findByIds(orgId, recipients.summary);
    return users.flatMap(({ id, email, state, demo }): Destination[] =>
      state !== 'active' || demo || email === null
        ? []
        : [{ channel: 'email', recipient: email, userId: id, mentions: [] }],
    );
  }
}
