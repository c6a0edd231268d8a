import { Injectable } from '@nestjs/common';
import {
  type BudgetAccount,
  type BudgetAnswer,
  JUDGED_SECONDS,
  PLAN_TIMING,
  type ReplayedAct,
  type WatcherRule,
} from '#libs/alerting';
import { parseChip } from '../../data/chips/chips.js';
import { type Org } from '../../people/org/org.types.js';
import { AlertCoverageService } from './alert-coverage.service.js';
import { type AlertOfReplay, type ReplayedPast } from './alert-replay.js';
import { AlertReplaysService } from './alert-replays.service.js';
import { PastAnomaliesRepository, type PastEvent } from './past-anomalies.repository.js';

/** Maximum number of anomalies, or breaches, that are replayed: the newest ones. */
export const MAX_REPLAYED = 20_000;

/** The decisions that a watcher would have made in the past. */
@Injectable()
export class WatcherPastService {
  constructor(
    private readonly past: PastAnomaliesRepository,
    private readonly coverage: AlertCoverageService,
    private readonly replays: AlertReplaysService,
  ) {}

  /** Everything that affects decisions in a period: messages from before it still count. Unix seconds. */
  anomalies(org: Org, rule: WatcherRule, from: number, until: number): Promise<PastEvent[]> {
    const before = Math.max(rule.expirationSeconds, PLAN_TIMING.flappingSeconds);
    return this.past.anomalies(org.id, rule.chips.map(parseChip), { from: from - before, until }, MAX_REPLAYED);
  }

  /**
   * The messages that it would have sent and suppressed until a moment, in order of time. @throws OverloadedError,
   * ClientGoneError
   */
  replay(org: Org, rule: WatcherRule, found: readonly PastEvent[], until: number): Promise<AlertOfReplay[]> {
    return this.replays.alerts(this.pastOf(org, rule, found), until);
  }

  /**
   * Everything that it would have done in a period, in order of time, had it been created at the start.
   * @throws OverloadedError, ClientGoneError
   */
  acts(
    org: Org,
    rule: WatcherRule,
    found: readonly PastEvent[],
    { from, until }: { from: number; until: number },
  ): Promise<readonly ReplayedAct[]> {
    return this.replays.acts(this.pastOf(org, rule, found), from, until);
  }

  /**
   * The severity that the budget of the watcher requires, based on the last 30 days.
   * @throws OverloadedError, ClientGoneError for a request; background work waits
   */
  async severityInEffect(
    org: Org,
    rule: WatcherRule,
    budgetPerWeek: number,
    account: BudgetAccount | null,
    now: number,
  ): Promise<BudgetAnswer> {
    const past = await this.anomalies(org, rule, now - JUDGED_SECONDS, now);
    // Anomalies in imported history were found with different knowledge, and do not count for budgets.
    const members = past.filter(({ isImported }) => !isImported);
    return this.replays.budget({ past: this.pastOf(org, rule, members), budgetPerWeek, account, now });
  }

  private pastOf(org: Org, rule: WatcherRule, found: readonly PastEvent[]): ReplayedPast {
    const metrics = new Map(found.map(({ metricId: id, metric: name, labels }) => [id, { id, name, labels }]));
    return {
      rule,
      members: found.map(memberOf),
      metrics: [...metrics.values()],
      held: this.coverage.heldAlerts(org),
    };
  }
}

/** The members for decisions, without those that are only displayed. */
function memberOf(event: PastEvent): ReplayedPast['members'][number] {
  const { id, subjectId, metricId, kind, severity, direction, start, end, isQuiet, acknowledgedAt } = event;
  return { id, subjectId, metricId, kind, severity, direction, start, end, isQuiet, acknowledgedAt };
}
