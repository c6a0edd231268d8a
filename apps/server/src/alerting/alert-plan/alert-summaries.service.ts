import { Injectable } from '@nestjs/common';
import { DateTime } from 'luxon';
import { Clock } from '../../common/clock.js';
import { Transactions, type Tx } from '../../common/database/transactions.js';
import { counted } from '../../common/display/display.js';
import { RecurringWork } from '../../common/recurring-work.js';
import { OrgService } from '../../people/org/org.service.js';
import { EventRecorderService } from '../../platform/event/event-recorder.service.js';
import { type ScheduledSummary } from '../watcher/watcher.types.js';
import { WatcherDirectoryService } from '../watcher/watcher-directory.service.js';
import { type ReportedSpan, SummaryLettersService } from './summary-letters.service.js';

const EVERY_MS = 10_000;

/**
 * Sends the reports of watchers when they are due. A report is claimed and written to the outbox, and its next time is
 * set, in one transaction: each is sent once, whichever process does it and even if one dies.
 */
@Injectable()
export class AlertSummariesService extends RecurringWork {
  constructor(
    private readonly watchers: WatcherDirectoryService,
    private readonly letters: SummaryLettersService,
    private readonly orgs: OrgService,
    private readonly events: EventRecorderService,
    private readonly transactions: Transactions,
    private readonly clock: Clock,
  ) {
    super({ everyMs: EVERY_MS, failure: 'Reports could not be sent', logEvery: 60, role: 'detect' });
  }

  /** A report that fails does not delay the others. */
  async run(): Promise<void> {
    const failures = new Map<number, unknown>();
    while (!this.isStopping && (await this.sendOne(failures)));
    for (const error of failures.values()) throw error;
  }

  /** Returns whether one was due; records its watcher if it fails. */
  private async sendOne(failures: Map<number, unknown>): Promise<boolean> {
    const taken: { summary: ScheduledSummary | null } = { summary: null };
    try {
      await this.transactions.run(async (tx) => {
        taken.summary = await this.watchers.takeNextSummary(this.clock.now(), [...failures.keys()], tx);
        if (taken.summary === null) return;
        const org = await this.orgs.getById(taken.summary.orgId, tx);
        const recipients = await this.letters.send(org, taken.summary, spanOf(taken.summary, org.timezone), tx);
        if (recipients > 0) this.recordSent(taken.summary, recipients, tx);
      });
    } catch (error) {
      if (taken.summary === null) throw error;
      failures.set(taken.summary.watcher.id, error);
      return true;
    }
    return taken.summary !== null;
  }

  private recordSent({ orgId, watcher: { id, name } }: ScheduledSummary, recipients: number, tx: Tx): void {
    const message = `The report of ${name} went to ${counted(recipients, 'user')}.`;
    const ref = { kind: 'watcher', id: String(id) };
    this.events.record({ orgId, type: 'summary_sent', level: 'info', message, watcherId: id, ref }, tx);
  }
}

/** The day, week or month that ends when the report is due, in local time, so that a day may have 23 hours. */
export function spanOf(
  { watcher, scheduledAt }: Pick<ScheduledSummary, 'watcher' | 'scheduledAt'>,
  timezone: string,
): ReportedSpan {
  const frequency = frequencyOf(watcher.summaryReportFrequency ?? '');
  const unit = { daily: 'days', weekly: 'weeks', monthly: 'months' } as const;
  const from = DateTime.fromSeconds(scheduledAt, { zone: timezone }).minus({ [unit[frequency]]: 1 });
  return { from: Math.floor(from.toSeconds()), until: scheduledAt, frequency };
}

function frequencyOf(text: string): 'daily' | 'weekly' | 'monthly' {
  return text.startsWith('monthly') ? 'monthly' : text.startsWith('weekly') ? 'weekly' : 'daily';
}
