import { Injectable } from '@nestjs/common';
import { type Tx } from '../../common/database/transactions.js';
import { AlertBurstRepository } from './alert-burst.repository.js';
import { AlertPlanRepository } from './alert-plan.repository.js';
import { type PlannedAnomaly, type StoredPlan } from './alert-plan.types.js';
import { PlanSubjectCollector, type PlanSubject } from './plan-subjects.js';

/**
 * Collects the subjects of decisions: the incidents of changed anomalies and of due plans. Incidents merge, and lose
 * their anomalies; a plan follows the anomaly that it began with.
 */
@Injectable()
export class PlanSubjectsService {
  constructor(
    private readonly plans: AlertPlanRepository,
    private readonly bursts: AlertBurstRepository,
  ) {}

  async gather(
    { orgId, now }: { orgId: number; now: number },
    taken: readonly PlannedAnomaly[],
    plansToRecheck: readonly StoredPlan[],
    tx: Tx,
  ): Promise<PlanSubject[]> {
    const gone = taken.filter(({ incidentId }) => incidentId === null);
    const leads = await this.plans.anomalies(
      orgId,
      plansToRecheck.flatMap(({ leadAnomalyId }) => leadAnomalyId ?? []),
      tx,
    );
    const touched = new Set([
      ...[...taken, ...leads].flatMap(({ incidentId }) => incidentId ?? []),
      ...plansToRecheck.flatMap(({ incidentId }) => incidentId ?? []),
      // A message about them may have no anomalies left to report.
      ...(await this.plans.incidentsReporting(
        orgId,
        gone.filter(({ member }) => member.state === 'withdrawn').map(({ facts }) => facts.metricId),
        tx,
      )),
    ]);
    const single = new Map([...gone, ...leads].filter(isAlone).map((anomaly) => [anomaly.anomalyId, anomaly]));
    const burstOf = await this.bursts.join(orgId, [...touched], now, tx);
    for (const id of burstOf.keys()) touched.add(id);
    let members = await this.plans.anomaliesOfIncidents(orgId, [...touched], tx);
    const plans = await this.plans.plans(
      orgId,
      { incidentIds: [...touched], anomalyIds: [...members, ...gone].map(({ anomalyId }) => anomalyId) },
      tx,
    );
    // Checks whether plans that began elsewhere still have anomalies.
    const elsewhere = plans.flatMap(({ incidentId }) =>
      incidentId === null || touched.has(incidentId) ? [] : incidentId,
    );
    if (elsewhere.length > 0) {
      members = [...members, ...(await this.plans.anomaliesOfIncidents(orgId, [...new Set(elsewhere)], tx))];
    }
    const all = new Map([...plans, ...plansToRecheck].map((plan) => [plan.key, plan]));
    return new PlanSubjectCollector(members, single, [...all.values()], burstOf).subjects();
  }
}

const isAlone = ({ incidentId, member }: PlannedAnomaly): boolean =>
  incidentId === null && member.state !== 'withdrawn' && !member.isQuiet;
