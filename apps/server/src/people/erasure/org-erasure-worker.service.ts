import { Inject, Injectable } from '@nestjs/common';
import { DATABASE_LOCKS } from '#libs/database-locks';
import { SYSTEM_ACTOR } from '../../platform/audit/audit.types.js';
import { SubscriptionEndingService } from '../billing/subscription-ending.service.js';
import { Clock } from '../../common/clock.js';
import { AdvisoryLocks } from '../../common/database/advisory-locks.js';
import { Transactions } from '../../common/database/transactions.js';
import { AppError } from '../../common/errors/app-error.js';
import { RecurringWork } from '../../common/recurring-work.js';
import { HOUR } from '../../common/time.js';
import { SERIES_STORE, type SeriesStore } from '../../platform/storage/storage.types.js';
import { OrgErasureRepository } from './org-erasure.repository.js';
import { OrgErasureService } from './org-erasure.service.js';

/** First key of its advisory lock. */
const LOCK_SPACE = DATABASE_LOCKS.orgErasure.number;
const EVERY_MS = 30_000;
/** After this time no process accepts a credential of the organisation any more. */
const CREDENTIALS_GONE_SECONDS = 30;
/** Points that were in flight when a series was erased have arrived by then. */
const ERASED_AGAIN_SECONDS = HOUR;
/** Maximum wait for a payment provider that does not answer; the promised erasure takes precedence. */
const PAYMENT_TIMEOUT_SECONDS = 12 * HOUR;
/** Per transaction: locks are held only briefly. */
const METRICS_PER_STEP = 200;
const ROWS_PER_STEP = 5000;

/**
 * Erases the data of deleted organisations, in one process of the installation, step by step. Finished steps are not
 * repeated: if a process stops in the middle, another one continues.
 */
@Injectable()
export class OrgErasureWorkerService extends RecurringWork {
  constructor(
    private readonly rows: OrgErasureRepository,
    private readonly erasure: OrgErasureService,
    private readonly endings: SubscriptionEndingService,
    private readonly transactions: Transactions,
    private readonly locks: AdvisoryLocks,
    private readonly clock: Clock,
    @Inject(SERIES_STORE) private readonly series: SeriesStore,
  ) {
    super({ everyMs: EVERY_MS, failure: 'Deleted organisations could not be erased', level: 'error', role: 'detect' });
  }

  /** Does all pending work. Returns true if this process did it; another process may be doing it. */
  run(): Promise<boolean> {
    return this.locks.runAlone(LOCK_SPACE, 0, async () => {
      for (const orgId of await this.rows.listOrgsToDelete(this.at())) {
        await this.erasure.begin(orgId, SYSTEM_ACTOR);
      }
      const overdue = new Set(await this.rows.deletedBefore(this.at(-PAYMENT_TIMEOUT_SECONDS)));
      for (const orgId of await this.rows.deletedBefore(this.at(-CREDENTIALS_GONE_SECONDS))) {
        if ((await this.endPayment(orgId)) || overdue.has(orgId)) await this.erase(orgId);
      }
      await this.eraseSeries();
    });
  }

  /** Ends the subscription of a deleted organisation. Returns true if it has certainly ended. */
  private async endPayment(orgId: number): Promise<boolean> {
    try {
      await this.endings.endAll(orgId);
      return true;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const what = `The subscription of organisation ${String(orgId)}, which is deleted, could not be ended`;
      this.logger.error(`${what}; if this continues, end it at the payment provider: ${error.message}`);
      return false;
    }
  }

  private async erase(orgId: number): Promise<void> {
    await this.repeat(METRICS_PER_STEP, async () => {
      const taken = await this.transactions.run((tx) => this.rows.takeMetrics(orgId, this.at(), METRICS_PER_STEP, tx));
      await this.eraseSeries();
      return taken;
    });
    for (const table of await this.rows.ownedTables()) {
      await this.repeat(ROWS_PER_STEP, () => this.rows.deleteRows(orgId, table, ROWS_PER_STEP));
    }
    if (this.isStopping) return;
    await this.rows.deleteOrg(orgId);
    this.logger.log(`Organisation ${String(orgId)} was erased`);
  }

  private eraseSeries(): Promise<void> {
    return this.repeat(METRICS_PER_STEP, async () => {
      const series = await this.rows.listSeriesToErase(this.at(), METRICS_PER_STEP);
      const ids = series.map(({ metricId }) => metricId);
      await this.series.erase(ids);
      await this.rows.noteErased(ids, this.at(ERASED_AGAIN_SECONDS));
      return series.length;
    });
  }

  private at(offsetSeconds = 0): Date {
    return new Date((this.clock.now() + offsetSeconds) * 1000);
  }
}
