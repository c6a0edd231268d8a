import { Injectable } from '@nestjs/common';
import {
  isNotified,
  PLAN_TIMING,
  type PlanMember,
  planSubject,
  type PlanState,
  type WatcherRule,
} from '#libs/alerting';
import { Clock } from '../../common/clock.js';
import { Transactions, type Tx } from '../../common/database/transactions.js';
import { secondsOf } from '../../common/time.js';
import { OrgService } from '../../people/org/org.service.js';
import { type Org } from '../../people/org/org.types.js';
import { AlertCoverageService } from './alert-coverage.service.js';
import { AlertMessagesService, type DecidedActs } from './alert-messages.service.js';
import { AlertPlanRepository } from './alert-plan.repository.js';
import {
  ALERT_CHANGE_CHANNEL,
  type DecidedIncident,
  type PlannedAnomaly,
  type StoredPlan,
} from './alert-plan.types.js';
import { PlanSubjectsService } from './plan-subjects.service.js';
import { type PlanSubject } from './plan-subjects.js';
import { PlanningRounds } from './planning-rounds.js';
import { RoundHistory } from './round-history.js';

/** Maximum number of changes, and of due plans, per transaction. */
const STEP = 5000;
/** How long an anomaly waits until its incident is known. */
const INCIDENT_WAIT_SECONDS = 2;
/** How long planning waits for grouping after a start, because grouping must also catch up. */
const CATCHING_UP_SECONDS = 30;

/**
 * Decides which messages are sent about anomalies. The transactions that change anomalies write the pending work to the
 * database; decisions go into the outbox in the transaction that removes the work. Each decision is therefore made
 * once, even if a process dies. One process at a time decides for an organisation.
 */
@Injectable()
export class AlertPlannerService extends PlanningRounds {
  /** Unix seconds. */
  private readonly startedAt: number;

  constructor(
    private readonly plans: AlertPlanRepository,
    private readonly subjects: PlanSubjectsService,
    private readonly coverage: AlertCoverageService,
    private readonly messages: AlertMessagesService,
    private readonly orgs: OrgService,
    private readonly transactions: Transactions,
    clock: Clock,
  ) {
    super(clock, 'Alerts could not be planned', ALERT_CHANGE_CHANNEL);
    this.startedAt = clock.now();
  }

  protected async work(): Promise<void> {
    const orgIds = await this.plans.orgsWithWork(this.clock.now());
    await this.forEach(orgIds, (orgId) => this.repeat(STEP, () => this.planOf(orgId, () => this.planSome(orgId))));
  }

  /** Returns the number of processed changes. */
  private async planSome(orgId: number): Promise<number> {
    const [org, all] = await Promise.all([this.orgs.find(orgId), this.coverage.alertingOf(orgId)]);
    const rules = all.filter(({ anomalies }) => anomalies !== null);
    return this.transactions.run(async (tx) => {
      if (!(await this.plans.tryLock(orgId, tx))) return 0;
      const now = this.clock.now();
      const changes = await this.plans.changes(orgId, STEP, tx);
      const age = new Map<number, number>();
      for (const change of changes) age.set(change.anomalyId, Math.max(age.get(change.anomalyId) ?? 0, change.age));
      const isCatchingUp = now - this.startedAt < CATCHING_UP_SECONDS;
      const ungrouped = new Set(changes.flatMap((change) => (change.isUngrouped ? change.anomalyId : [])));
      const isAwaited = (id: number): boolean =>
        age.get(id)! < INCIDENT_WAIT_SECONDS || (isCatchingUp && ungrouped.has(id));
      const changed = org === null ? [] : await this.plans.anomalies(orgId, [...age.keys()], tx);
      const waiting = new Set(
        changed
          .filter((anomaly) => isWithoutIncident(anomaly) && isAwaited(anomaly.anomalyId))
          .map(({ anomalyId }) => anomalyId),
      );
      const taken = changed.filter(({ anomalyId }) => !waiting.has(anomalyId));
      if (org !== null) {
        const plansToRecheck = await this.plans.listPlansToRecheck(orgId, now, STEP, tx);
        const since = now - Math.max(0, ...taken.map(({ anomalyId }) => age.get(anomalyId)!));
        await this.decide({ org, rules, now, since }, taken, plansToRecheck, tx);
      }
      const done = changes.filter(({ anomalyId }) => !waiting.has(anomalyId)).map(({ id }) => id);
      await this.plans.deleteChanges(orgId, done, tx);
      return done.length;
    });
  }

  private async decide(
    round: PlanRound,
    taken: readonly PlannedAnomaly[],
    plansToRecheck: readonly StoredPlan[],
    tx: Tx,
  ): Promise<void> {
    if (taken.length === 0 && plansToRecheck.length === 0) return;
    const { org, rules, now } = round;
    const subjects = await this.subjects.gather({ orgId: org.id, now }, taken, plansToRecheck, tx);
    const anomalies = subjects.flatMap((subject) => subject.anomalies);
    for (const anomaly of anomalies) {
      anomaly.member.isExcluded = this.coverage.isHeldBack(org, targetOf(anomaly), now);
    }
    const history = await this.historyOf(org.id, rules, subjects, now, tx);
    const incidents = await this.plans.incidents(
      org.id,
      subjects.flatMap(({ incidentId }) => incidentId ?? []),
      tx,
    );
    const saved: StoredPlan[] = [];
    const acts: DecidedActs[] = [];
    for (const subject of subjects) {
      const known = subject.isBurst ? undefined : incidents.get(subject.incidentId ?? 0);
      const { changed, ...decided } = this.decideOne(round, subject, history, known ?? subject.asIncident());
      saved.push(...changed);
      acts.push(decided);
    }
    await this.messages.send(org, acts, { changed: taken, now }, tx);
    await this.plans.save(org.id, saved, now, tx);
    this.scheduleRounds(saved.map(({ state }) => state.recheckAt));
    await this.plans.drop(
      org.id,
      subjects.flatMap(({ superseded }) => superseded),
      tx,
    );
  }

  /** `changed`: the plans that have. */
  private decideOne(
    { org, rules, now, since }: PlanRound,
    subject: PlanSubject,
    history: RoundHistory,
    incident: DecidedIncident['incident'],
  ): DecidedActs & { changed: StoredPlan[] } {
    const before = new Map(subject.plans.map((plan) => [plan.state.watcherId, plan.state]));
    const known = new Map(subject.plans.map((plan) => [plan.state.watcherId, plan]));
    const targets = subject.anomalies.map((anomaly) => ({ anomaly, metric: targetOf(anomaly) }));
    const membersOf = (things: typeof targets): PlanMember[] => things.map(({ anomaly }) => anomaly.member);
    const watched = rules
      .map((rule) => ({ rule, members: membersOf(this.coverage.covered(rule, targets)) }))
      .filter(({ rule, members }) => members.length > 0 || before.has(rule.id));
    const { states, acts } = planSubject({
      now,
      since,
      watched,
      members: membersOf(targets),
      states: [...before.values()],
      mutedUntil: org.alertsMutedUntil === null ? null : secondsOf(org.alertsMutedUntil),
      history: history.except(new Set(subject.plans.map(({ key }) => key))),
      isMerged: subject.isMerged,
      timing: PLAN_TIMING,
    });
    const plans = states.map((state) => planOf(subject, state, known.get(state.watcherId)));
    for (const { key, state } of plans) history.note(key, state);
    const decided: DecidedIncident = {
      org,
      incident,
      anomalies: subject.anomalies,
      before,
      plans: new Map(plans.map((plan) => [plan.state.watcherId, plan])),
      rules: new Map(rules.map((rule) => [rule.id, rule])),
      now,
    };
    return { decided, acts, changed: plans.filter((plan) => !isSame(known.get(plan.state.watcherId), plan)) };
  }

  private async historyOf(
    orgId: number,
    rules: readonly WatcherRule[],
    subjects: readonly PlanSubject[],
    now: number,
    tx: Tx,
  ): Promise<RoundHistory> {
    const metricIds = [...new Set(subjects.flatMap(({ anomalies }) => anomalies.map(({ facts }) => facts.metricId)))];
    const budgeted = rules.filter(({ budgetPerWeek }) => budgetPerWeek !== null).map(({ id }) => id);
    // Only for ended subjects it matters whether their metrics are anomalous elsewhere.
    const ended = subjects.flatMap(({ plans }) =>
      plans.flatMap(({ state }) => (isNotified(state) && state.endedAt !== null ? state.notifiedMetrics : [])),
    );
    return new RoundHistory(
      await this.plans.earlierMessages(orgId, rules, metricIds, now, tx),
      await this.plans.budgeted(orgId, budgeted, now, tx),
      await this.plans.anomalousMetrics(orgId, [...new Set(ended)], tx),
    );
  }
}

/** The input of a round of planning. */
interface PlanRound {
  org: Org;
  rules: readonly WatcherRule[];
  now: number;
  since: number;
}

function isWithoutIncident({ incidentId, member }: PlannedAnomaly): boolean {
  return incidentId === null && member.state !== 'withdrawn' && !member.isQuiet;
}

function targetOf({ facts, source, type }: PlannedAnomaly) {
  const { metricId: id, metric: name, labels, kind } = facts;
  return { id, name, labels, source, type, state: kind === 'missing_data' ? 'stale' : 'active' };
}

function planOf(subject: PlanSubject, state: PlanState, known: StoredPlan | undefined): StoredPlan {
  const { incidentId, anomalies } = subject;
  return {
    key: known?.key ?? `${subject.key}/watcher/${String(state.watcherId)}`,
    incidentId,
    leadAnomalyId: known?.leadAnomalyId ?? anomalies[0]?.anomalyId ?? null,
    state,
  };
}

function isSame(before: StoredPlan | undefined, after: StoredPlan): boolean {
  return before !== undefined && JSON.stringify(before) === JSON.stringify(after);
}
