import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { Transactions } from '../../common/database/transactions.js';
import { RecurringWork } from '../../common/recurring-work.js';
import { AnomalyRecordingService } from '../../analysis/anomaly/anomaly-recording.service.js';
import { CandidateRepository, type CandidateRow } from './candidate.repository.js';
import { groupedBy, batchOrEach } from './batches.js';

const EVERY_MS = 500;
const AT_ONCE = 200;

/**
 * Opens candidates without a verdict by their deadline, as unconfirmed. It needs only the database, so that a check
 * that hangs or dies delays no anomaly.
 */
@Injectable()
export class CandidateDeadlineService extends RecurringWork {
  constructor(
    private readonly candidates: CandidateRepository,
    private readonly anomalies: AnomalyRecordingService,
    private readonly transactions: Transactions,
    private readonly clock: Clock,
  ) {
    super({
      everyMs: EVERY_MS,
      failure: 'Anomalies that were not compared in time could not be opened',
      logEvery: 60,
      role: 'detect',
    });
  }

  async run(): Promise<void> {
    await this.repeat(AT_ONCE, async () => {
      const overdue = await this.candidates.overdue(this.clock.now(), AT_ONCE);
      for (const rows of groupedBy(overdue, ({ orgId }) => orgId).values()) {
        await batchOrEach(rows, (some) => this.open(some));
      }
      return overdue.length;
    });
  }

  private async open(rows: readonly CandidateRow[]): Promise<void> {
    await this.transactions.run(async (tx) => {
      const held = (await this.candidates.lockMany(rows, tx)).filter(({ state }) => state === 'pending');
      if (held.length === 0) return;
      await this.candidates.set(
        held.map((row) => ({ ...row, state: 'unconfirmed' })),
        tx,
      );
      const events = held.map(({ event }) => event);
      await this.anomalies.recordChecked(events, tx, { unconfirmed: true });
      await this.anomalies.setUnconfirmed(events, true, tx);
    });
  }
}
