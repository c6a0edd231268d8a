import { Injectable } from '@nestjs/common';
import {
  isNotified,
  PLAN_TIMING,
  type PlanMember,
  planSubject,
  THRESHOLD_SEVERITY,
  type WatcherRule,
} from '#libs/alerting';
import { Clock } from '../../common/clock.js';
import { Transactions, type Tx } from '../../common/database/transactions.js';
import { secondsOf } from '../../common/time.js';
import { OrgService } from '../../people/org/org.service.js';
import { type Org } from '../../people/org/org.types.js';
import { ThresholdChangesService } from '../threshold/threshold-changes.service.js';
import { THRESHOLD_CHANGE_CHANNEL } from '../threshold/threshold.types.js';
import { AlertCoverageService } from './alert-coverage.service.js';
import { applyChanges } from './breach-episodes.js';
import { BreachMessagesService } from './breach-messages.service.js';
import { BreachPlansService } from './breach-plans.service.js';
import { type BreachedMetric, breachKey, type BreachPlan } from './breach-plan.repository.js';
import { PlanningRounds } from './planning-rounds.js';

const STEP = 5000;

/** Decides which messages are sent about thresholds, as AlertPlannerService does about anomalies. */
@Injectable()
export class BreachPlannerService extends PlanningRounds {
  constructor(
    private readonly changes: ThresholdChangesService,
    private readonly plans: BreachPlansService,
    private readonly coverage: AlertCoverageService,
    private readonly messages: BreachMessagesService,
    private readonly orgs: OrgService,
    private readonly transactions: Transactions,
    clock: Clock,
  ) {
    super(clock, 'Alerts of thresholds could not be planned', THRESHOLD_CHANGE_CHANNEL);
  }

  protected async work(): Promise<void> {
    const waiting = await this.changes.orgsWaiting();
    const recheckOrgIds = await this.plans.listOrgsToRecheck(this.clock.now());
    const orgIds = new Set([...waiting, ...recheckOrgIds]);
    await this.forEach(orgIds, (orgId) => this.repeat(STEP, () => this.planOf(orgId, () => this.planSome(orgId))));
  }

  private async planSome(orgId: number): Promise<number> {
    const [org, all] = await Promise.all([this.orgs.find(orgId), this.coverage.alertingOf(orgId)]);
    const rules = new Map(all.filter(({ threshold }) => threshold !== null).map((rule) => [rule.id, rule]));
    return this.transactions.run(async (tx) => {
      if (!(await this.plans.tryLock(orgId, tx))) return 0;
      const now = this.clock.now();
      const changes = await this.changes.takeWaiting(orgId, STEP, tx);
      if (org !== null) await this.decide(org, rules, changes, now, tx);
      return changes.length;
    });
  }

  private async decide(
    org: Org,
    rules: ReadonlyMap<number, WatcherRule>,
    changes: Parameters<typeof applyChanges>[1],
    now: number,
    tx: Tx,
  ): Promise<void> {
    const known = changes.filter(({ watcherId }) => rules.has(watcherId));
    const open = await this.plans.open(org.id, tx);
    const before = new Map(open.map((plan) => [plan.key, JSON.stringify(plan)]));
    const plans = applyChanges(open, known, now);
    if (plans.length === 0) return;
    const facts = await this.plans.facts(org.id, plans, [...rules.values()], now, tx);
    const decided: Parameters<BreachMessagesService['send']>[1][number][] = [];
    for (const plan of plans) {
      const rule = rules.get(plan.watcherId);
      const wasNotified = plan.state !== null && isNotified(plan.state);
      const former = rule === undefined && wasNotified ? await this.plans.formerRule(org.id, plan.watcherId) : null;
      for (const breach of plan.breaches) breach.metric ??= facts.metrics.get(breach.metricId)?.name;
      const members = this.membersOf(org, plan, facts, now, rule !== undefined);
      const { states, acts } = planSubject({
        now,
        since: now,
        watched: rule === undefined ? [] : [{ rule, members }],
        members,
        states: plan.state === null ? [] : [plan.state],
        mutedUntil: org.alertsMutedUntil === null ? null : secondsOf(org.alertsMutedUntil),
        history: facts.history.except(new Set([plan.key])),
        isMerged: false,
        isDeleted: former?.isDeleted === true || plan.breaches.some(({ departure }) => departure === 'deleted'),
        timing: PLAN_TIMING,
      });
      plan.state = states[0] ?? (plan.state && { ...plan.state, phase: 'suppressed', recheckAt: null });
      if (plan.state !== null) facts.history.note(plan.key, plan.state);
      const sender = rule ?? former?.rule;
      if (sender !== undefined)
        decided.push({ decided: { org, plan, rule: sender, metrics: facts.metrics, now }, acts });
    }
    await this.messages.send(org.id, decided, tx);
    // Of many open plans, few have changed.
    const changed = plans.filter((plan) => JSON.stringify(plan) !== before.get(plan.key));
    await this.plans.save(org.id, changed, now, tx);
    this.scheduleRounds(plans.map(({ state }) => state?.recheckAt ?? null));
  }

  private membersOf(
    org: Org,
    { watcherId, breaches }: BreachPlan,
    { metrics, counts }: { metrics: ReadonlyMap<number, BreachedMetric>; counts: ReadonlyMap<string, number> },
    now: number,
    isWatched: boolean,
  ): PlanMember[] {
    return breaches.map(({ metricId, start, end, departure }) => {
      const metric = metrics.get(metricId);
      const isThere = metric !== undefined && isWatched && departure === undefined;
      return {
        id: metricId,
        metricId,
        kind: 'threshold',
        severity: THRESHOLD_SEVERITY,
        direction: null,
        start,
        end,
        state: !isThere ? 'withdrawn' : end === null ? 'open' : 'ended',
        isAcknowledged: false,
        isQuiet: false,
        isExcluded: metric !== undefined && this.coverage.isHeldBack(org, metric, now),
        earlierStarts: (counts.get(breachKey(watcherId, metricId)) ?? 1) - 1,
      };
    });
  }
}
