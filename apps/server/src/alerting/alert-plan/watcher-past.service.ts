import { Injectable } from '@nestjs/common';
import {
  type BudgetAccount,
  type BudgetAnswer,
  JUDGED_SECONDS,
  PLAN_TIMING,
  PlanReplay,
  severityInEffect,
  type WatcherRule,
} from '#libs/alerting';
import { parseChip } from '../../data/chips/chips.js';
import { type Org } from '../../people/org/org.types.js';
import { AlertCoverage } from './alert-coverage.service.js';
import { PastAnomaliesRepository, type PastEvent } from './past-anomalies.repository.js';

/** Anomalies that are replayed at most: the newest of them. */
export const MOST_REPLAYED = 20_000;

/** What a watcher would have done in the past. */
@Injectable()
export class WatcherPast {
  constructor(
    private readonly past: PastAnomaliesRepository,
    private readonly coverage: AlertCoverage,
  ) {}

  /** Everything that decides about a span: what was sent before it still counts in it. Unix seconds. */
  anomalies(org: Org, rule: WatcherRule, from: number, until: number): Promise<PastEvent[]> {
    const before = Math.max(rule.expirationSeconds, PLAN_TIMING.flappingSeconds);
    return this.past.anomalies(org.id, rule.chips.map(parseChip), { from: from - before, until }, MOST_REPLAYED);
  }

  replay(org: Org, rule: WatcherRule, anomalies: readonly PastEvent[]): PlanReplay {
    return new PlanReplay(rule, anomalies, this.exclusionsOf(org, anomalies));
  }

  /** The severity from which messages come to the budget of the watcher, judged on the last 30 days. */
  async severityInEffect(
    org: Org,
    rule: WatcherRule,
    budgetPerWeek: number,
    account: BudgetAccount | null,
    now: number,
  ): Promise<BudgetAnswer> {
    const past = await this.anomalies(org, rule, now - JUDGED_SECONDS, now);
    // What was found in imported history was found at another level of knowledge, and is no measure.
    const members = past.filter(({ isImported }) => !isImported);
    return severityInEffect({
      rule,
      budgetPerWeek,
      members,
      isExcluded: this.exclusionsOf(org, members),
      account,
      now,
    });
  }

  private exclusionsOf(org: Org, anomalies: readonly PastEvent[]): (metricId: number, at: number) => boolean {
    const metrics = new Map(anomalies.map(({ metricId, metric: name, labels }) => [metricId, { name, labels }]));
    return (metricId, at) => this.coverage.isHeldBack(org, metrics.get(metricId)!, at);
  }
}
