import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { DATABASE_LOCKS } from '#libs/database-locks';
import { Clock } from '../../common/clock.js';
import { AdvisoryLocks } from '../../common/database/advisory-locks.js';
import { AppError } from '../../common/errors/app-error.js';
import { Housekeeping } from '../../common/housekeeping/housekeeping.decorator.js';
import { DAY } from '../../common/time.js';
import { BillingAccountRepository } from './billing-account.repository.js';
import { BillingCheckoutRepository } from './billing-checkout.repository.js';
import { BillingEventRepository } from './billing-event.repository.js';
import { BillingSyncService } from './billing-sync.service.js';
import { BillingConfig } from './billing.config.js';

/** First key of its advisory lock. */
const LOCK_SPACE = DATABASE_LOCKS.billingReconciliation.number;
const EVERY_MS = 3_600_000;
const CHECK_AFTER_SECONDS = DAY;
const MAX_CHECKED = 500;
/** The provider repeats messages for a few days, and its operators can repeat them manually for a month. */
const KEPT_SECONDS = 40 * DAY;

/** Once an hour, in one process: catches up on messages that never arrived, and deletes old ones. */
@Injectable()
export class BillingReconciliationService implements OnModuleDestroy {
  private readonly logger = new Logger(BillingReconciliationService.name);
  private isStopping = false;

  constructor(
    private readonly config: BillingConfig,
    private readonly accounts: BillingAccountRepository,
    private readonly checkouts: BillingCheckoutRepository,
    private readonly applied: BillingEventRepository,
    private readonly sync: BillingSyncService,
    private readonly locks: AdvisoryLocks,
    private readonly clock: Clock,
  ) {}

  /** Stops a long round early. */
  onModuleDestroy(): void {
    this.isStopping = true;
  }

  /** Returns true if this process did it; another process may be doing it. */
  @Housekeeping({ everyMs: EVERY_MS, failure: 'Billing could not be updated', role: 'api' })
  async run(): Promise<boolean> {
    if (!this.config.isConfigured) return false;
    return this.locks.runAlone(LOCK_SPACE, 0, async () => {
      const before = new Date((this.clock.now() - KEPT_SECONDS) * 1000);
      await this.checkouts.forgetExpired(before);
      await this.applied.forgetOld(before);
      const uncheckedSince = new Date((this.clock.now() - CHECK_AFTER_SECONDS) * 1000);
      for (const orgId of await this.accounts.checkedBefore(uncheckedSince, MAX_CHECKED)) {
        if (this.isStopping) return;
        await this.reconcile(orgId);
      }
    });
  }

  /** An error of the provider for one organisation does not delay the others. */
  private async reconcile(orgId: number): Promise<void> {
    try {
      await this.sync.refresh(orgId);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      this.logger.warn(`The plan of organisation ${String(orgId)} could not be checked: ${error.message}`);
    }
  }
}
