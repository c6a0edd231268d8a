import { Injectable } from '@nestjs/common';
import { BUDGET_SECONDS } from '#libs/alerting';
import { Clock } from '../../common/clock.js';
import { AdvisoryLocks } from '../../common/database/advisory-locks.js';
import { Transactions } from '../../common/database/transactions.js';
import { RecurringWork } from '../../common/recurring-work.js';
import { DAY } from '../../common/time.js';
import { OrgService } from '../../people/org/org.service.js';
import { DATABASE_LOCKS } from '#libs/database-locks';
import { WatcherDirectoryService } from '../watcher/watcher-directory.service.js';
import { AlertPlanRepository } from './alert-plan.repository.js';
import { WatcherPastService } from './watcher-past.service.js';

const EVERY_MS = 60_000;
/** Plans that no budget or expiration needs any more. */
const KEPT_SECONDS = 35 * DAY;
const STEP = 2000;
/** Interval for checking open plans without a change: an erased anomaly causes no change. */
const LOOK_AGAIN_SECONDS = 600;

/** Adjusts the budgets of watchers once a day, those of new watchers immediately, and deletes old plans. */
@Injectable()
export class WatcherBudgetsService extends RecurringWork {
  private adjustedAt = -Infinity;

  constructor(
    private readonly plans: AlertPlanRepository,
    private readonly watchers: WatcherDirectoryService,
    private readonly past: WatcherPastService,
    private readonly orgs: OrgService,
    private readonly transactions: Transactions,
    private readonly locks: AdvisoryLocks,
    private readonly clock: Clock,
  ) {
    super({ everyMs: EVERY_MS, failure: 'Alert budgets could not be adjusted', logEvery: 60, role: 'detect' });
  }

  async run(): Promise<void> {
    await this.locks.runAlone(DATABASE_LOCKS.alertUpkeep.number, 0, async () => {
      const now = this.clock.now();
      await this.plans.recheckStale(now - LOOK_AGAIN_SECONDS, now);
      await this.repeat(STEP, () => this.plans.dropOld(now - KEPT_SECONDS, STEP));
      const isDaily = now - this.adjustedAt >= DAY;
      const budgeted = await this.plans.budgetedWatchers({ onlyNew: !isDaily });
      if (isDaily) this.adjustedAt = now;
      await this.forEach(budgeted, ({ orgId, watcherId }) => this.adjust(orgId, watcherId, now));
    });
  }

  private async adjust(orgId: number, watcherId: number, now: number): Promise<void> {
    const [org, watcher] = await Promise.all([this.orgs.find(orgId), this.watchers.find(orgId, watcherId)]);
    const [rule] = watcher === null ? [] : await this.watchers.rulesOf(orgId, [watcher]);
    if (org === null || watcher === null || rule?.budgetPerWeek == null) return;
    const messages = await this.plans.budgeted(orgId, [watcherId], now);
    const account = { used: messages.length, seconds: Math.min(BUDGET_SECONDS, now - watcher.createdTimestamp) };
    const { severity, achieved } = await this.past.severityInEffect(org, rule, rule.budgetPerWeek, account, now);
    await this.transactions.run((tx) =>
      this.watchers.setBudget(orgId, watcherId, { severityInEffect: severity, achieved4Weeks: achieved ?? 0 }, tx),
    );
  }
}
