import { Injectable } from '@nestjs/common';
import { type ReplayedAct, type WatcherRule } from '#libs/alerting';
import { type Tx } from '../../common/database/transactions.js';
import { type Org } from '../../people/org/org.types.js';
import { type PastStep } from '../alert/alert.types.js';
import { AlertMessagesService } from './alert-messages.service.js';
import { AlertPlanRepository } from './alert-plan.repository.js';
import { type PlannedAnomaly, type PlannedIncident } from './alert-plan.types.js';
import { keyOf } from './breach-episodes.js';
import { BreachMessagesService } from './breach-messages.service.js';
import { type BreachedMetric, BreachPlanRepository } from './breach-plan.repository.js';
import { type PastEvent } from './past-anomalies.repository.js';
import { PlanSubject } from './plan-subjects.js';

/** A watcher, and the results of its replay. */
export interface Replayed {
  org: Org;
  rule: WatcherRule;
  found: readonly PastEvent[];
}

/**
 * Converts the decisions of a replay to the same steps as live planning. An incident is described as it was at the
 * moment, as far as that is known: its members and whether they lasted; severities, title and origins are the final
 * ones.
 */
@Injectable()
export class PastStepsService {
  constructor(
    private readonly plans: AlertPlanRepository,
    private readonly breaches: BreachPlanRepository,
    private readonly messages: AlertMessagesService,
    private readonly breachMessages: BreachMessagesService,
  ) {}

  /** In order of time. */
  async of(replayed: Replayed, acts: readonly ReplayedAct[], tx: Tx): Promise<PastStep[]> {
    return replayed.rule.threshold === null
      ? this.ofAnomalies(replayed, acts, tx)
      : this.ofBreaches(replayed, acts, tx);
  }

  private async ofAnomalies({ org, rule, found }: Replayed, acts: readonly ReplayedAct[], tx: Tx): Promise<PastStep[]> {
    const asked = new Set(acts.map(({ subjectId }) => subjectId));
    const members = found.filter(({ subjectId }) => asked.has(subjectId));
    const anomalies = new Map(
      (
        await this.plans.anomalies(
          org.id,
          members.map(({ id }) => id),
          tx,
        )
      ).map((anomaly) => [anomaly.anomalyId, anomaly]),
    );
    const incidents = await this.plans.incidents(
      org.id,
      [...asked].filter((id) => id > 0),
      tx,
    );
    return acts.flatMap(({ at, subjectId, act, before, after }) => {
      const then = members.filter((one) => one.subjectId === subjectId && one.start <= at);
      const mine = then.flatMap(({ id }) => anomalies.get(id) ?? []).map((anomaly) => asOf(anomaly, at));
      const incidentId = subjectId > 0 ? subjectId : null;
      const key = incidentId === null ? `anomaly/${String(-subjectId)}` : `incident/${String(incidentId)}`;
      const known = incidents.get(subjectId);
      const subject = new PlanSubject(incidentId, mine, key);
      const plan = {
        key: `${key}/watcher/${String(rule.id)}`,
        incidentId,
        leadAnomalyId: mine[0]?.anomalyId ?? null,
        state: after,
      };
      const decided = {
        org,
        incident: known === undefined ? subject.asIncident() : incidentAsOf(known, at),
        anomalies: mine,
        before: new Map(before === null ? [] : [[rule.id, before]]),
        plans: new Map([[rule.id, plan]]),
        rules: new Map([[rule.id, rule]]),
        now: at,
      };
      return this.messages.stepsOfPast(decided, act).map((step) => ({ at, step }));
    });
  }

  private async ofBreaches({ org, rule, found }: Replayed, acts: readonly ReplayedAct[], tx: Tx): Promise<PastStep[]> {
    const ids = [...new Set(found.map(({ metricId }) => metricId))];
    const metrics: ReadonlyMap<number, BreachedMetric> = await this.breaches.metrics(org.id, ids, tx);
    return acts.flatMap(({ at, subjectId, act, after }) => {
      const mine = found.filter((one) => one.subjectId === subjectId && one.start <= at);
      const [first] = mine;
      if (first === undefined) return [];
      const plan = {
        key: keyOf(rule.id, first.metricId, first.start),
        watcherId: rule.id,
        breaches: mine.map(({ metricId, start, end, value, limit = 0 }) => ({
          metricId,
          start,
          end: end !== null && end <= at ? end : null,
          value: value ?? 0,
          limit,
        })),
        state: after,
      };
      return this.breachMessages.stepsOf({ org, plan, rule, metrics, now: at }, act).map((step) => ({ at, step }));
    });
  }
}

/** As it was known at a moment. */
function asOf(anomaly: PlannedAnomaly, at: number): PlannedAnomaly {
  const { end } = anomaly.facts;
  if (end === null || end <= at) return anomaly;
  return {
    ...anomaly,
    member: { ...anomaly.member, end: null, state: 'open' },
    facts: { ...anomaly.facts, end: null },
  };
}

function incidentAsOf(incident: PlannedIncident, at: number): PlannedIncident {
  const { endTimestamp: end } = incident;
  return end === null || end <= at ? incident : { ...incident, state: 'open', endTimestamp: null };
}
