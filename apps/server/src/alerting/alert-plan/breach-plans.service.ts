import { Injectable } from '@nestjs/common';
import { type WatcherRule } from '#libs/alerting';
import { type Tx } from '../../common/database/transactions.js';
import { WatcherDirectoryService } from '../watcher/watcher-directory.service.js';
import { AlertPlanRepository } from './alert-plan.repository.js';
import { type BreachedMetric, type BreachPlan, BreachPlanRepository } from './breach-plan.repository.js';
import { RoundHistory } from './round-history.js';

/** The data that decisions about thresholds need. */
export interface BreachFacts {
  metrics: Map<number, BreachedMetric>;
  /** Breaches within the last hour, by watcher and metric. */
  counts: Map<string, number>;
  history: RoundHistory;
}

/** Stored plans of thresholds, and the data around them. */
@Injectable()
export class BreachPlansService {
  constructor(
    private readonly rows: BreachPlanRepository,
    private readonly plans: AlertPlanRepository,
    private readonly watchers: WatcherDirectoryService,
  ) {}

  listOrgsToRecheck(now: number): Promise<number[]> {
    return this.rows.listOrgsToRecheck(now);
  }

  tryLock(orgId: number, tx: Tx): Promise<boolean> {
    return this.plans.tryLock(orgId, tx);
  }

  open(orgId: number, tx: Tx): Promise<BreachPlan[]> {
    return this.rows.open(orgId, tx);
  }

  save(orgId: number, plans: readonly BreachPlan[], now: number, tx: Tx): Promise<void> {
    return this.rows.save(orgId, plans, now, tx);
  }

  async facts(
    orgId: number,
    plans: readonly BreachPlan[],
    rules: readonly WatcherRule[],
    now: number,
    tx: Tx,
  ): Promise<BreachFacts> {
    const breaches = plans.flatMap((plan) => plan.breaches);
    const metricIds = [...new Set(breaches.map(({ metricId }) => metricId))];
    return {
      metrics: await this.rows.metrics(orgId, metricIds, tx),
      counts: await this.rows.breachCounts(orgId, metricIds, now, tx),
      // The metric's own plans show whether it is in breach elsewhere: a watcher has one breach of it at a time.
      history: new RoundHistory(await this.plans.earlierMessages(orgId, rules, metricIds, now, tx), [], new Set()),
    };
  }

  /** A watcher that no longer alerts, for withdrawing its messages. */
  async formerRule(orgId: number, watcherId: number): Promise<{ rule: WatcherRule; isDeleted: boolean } | null> {
    const watcher = await this.watchers.find(orgId, watcherId);
    const [rule] = watcher === null ? [] : await this.watchers.rulesOf(orgId, [watcher]);
    return rule === undefined ? null : { rule, isDeleted: watcher!.deletedTimestamp !== null };
  }
}
