import { isNotified } from '#libs/alerting';
import { commonEventText, countText } from '#libs/wording';
import { type PlannedAnomaly, type PlannedIncident, type StoredPlan } from './alert-plan.types.js';

/** An incident, or an anomaly without one, with the earlier decisions about it. */
export class PlanSubject {
  /** Plans that another one has replaced. */
  readonly superseded: string[] = [];
  readonly plans: StoredPlan[] = [];
  isMerged = false;

  constructor(
    readonly incidentId: number | null,
    readonly anomalies: readonly PlannedAnomaly[],
    /** Prefix of the keys of its plans. */
    readonly key: string,
  ) {}

  /** True if it consists of several incidents. */
  get isBurst(): boolean {
    return this.anomalies.some(({ incidentId }) => incidentId !== this.incidentId);
  }

  /** For messages about subjects other than one existing incident. */
  asIncident(): PlannedIncident {
    const facts = this.anomalies.map((anomaly) => anomaly.facts);
    const endTimestamp = latestOf(facts.map(({ end }) => end));
    const isOpen = facts.some(({ end }) => end === null);
    const starts = facts.map(({ start }) => start);
    const event = commonEventText(
      facts.map(({ kind }) => kind),
      !isOpen,
    );
    return {
      id: this.incidentId ?? 0,
      state: isOpen ? 'open' : 'resolved',
      title:
        facts.length > 1
          ? `${countText(new Set(facts.map(({ metricId }) => metricId)).size)} metrics ${event ?? 'at once'}`
          : (facts[0]?.metric ?? 'Anomalies'),
      startTimestamp: starts.length === 0 ? 0 : Math.min(...starts),
      endTimestamp,
      severity: Math.max(0, ...facts.map(({ severity }) => severity)),
      anomaliesCount: facts.length,
      metricsCount: new Set(facts.map(({ metricId }) => metricId)).size,
      commonLabels: {},
      origins: [],
    };
  }
}

/** The latest of the times; null if one is not known yet, and without any. */
export function latestOf(times: readonly (number | null)[]): number | null {
  const known = times.filter((time) => time !== null);
  return known.length < times.length || known.length === 0 ? null : Math.max(...known);
}

/** Groups anomalies and plans by subject. */
export class PlanSubjectCollector {
  private readonly found = new Map<string, PlanSubject>();
  private readonly membersOf = new Map<number, PlannedAnomaly[]>();
  private readonly homeOf = new Map<number, number>();

  constructor(
    members: readonly PlannedAnomaly[],
    private readonly single: ReadonlyMap<number, PlannedAnomaly>,
    private readonly plans: readonly StoredPlan[],
    private readonly burstOf: ReadonlyMap<number, number>,
  ) {
    for (const anomaly of members) {
      const id = this.homeOfIncident(anomaly.incidentId!);
      const others = this.membersOf.get(id);
      if (others === undefined) this.membersOf.set(id, [anomaly]);
      else others.push(anomaly);
      this.homeOf.set(anomaly.anomalyId, id);
    }
  }

  subjects(): PlanSubject[] {
    for (const id of this.membersOf.keys()) this.ofIncident(id);
    for (const id of this.single.keys()) this.ofAnomaly(id);
    const owned = new Set(
      this.plans
        .filter(({ state }) => isNotified(state))
        .map(({ incidentId, state }) => `${String(incidentId)}/${String(state.watcherId)}`),
    );
    for (const plan of this.plans) this.add(this.subjectOf(plan, owned), plan);
    return [...this.found.values()];
  }

  private subjectOf(plan: StoredPlan, owned: ReadonlySet<string>): PlanSubject {
    const { incidentId, leadAnomalyId, state } = plan;
    const own = incidentId === null ? null : this.homeOfIncident(incidentId);
    if (own !== null && this.membersOf.has(own)) return this.ofIncident(own);
    const home = leadAnomalyId === null ? undefined : this.homeOf.get(leadAnomalyId);
    if (home === undefined) {
      const isSingle = leadAnomalyId !== null && this.single.has(leadAnomalyId);
      return isSingle ? this.ofAnomaly(leadAnomalyId) : this.empty(plan);
    }
    // The other incident has its own message: this one is withdrawn.
    if (!owned.has(`${String(home)}/${String(state.watcherId)}`)) return this.ofIncident(home);
    const subject = this.empty(plan);
    subject.isMerged = true;
    return subject;
  }

  /** Of two plans with the same watcher, the one that has sent something stays. */
  private add(subject: PlanSubject, plan: StoredPlan): void {
    const index = subject.plans.findIndex(({ state }) => state.watcherId === plan.state.watcherId);
    if (index < 0) {
      subject.plans.push(plan);
      return;
    }
    const other = subject.plans[index]!;
    const isBetter = plan.state.notifiedAt !== null && other.state.notifiedAt === null;
    subject.superseded.push(isBetter ? other.key : plan.key);
    if (isBetter) subject.plans[index] = plan;
  }

  /** The incident, or its burst. */
  private homeOfIncident(id: number): number {
    return this.burstOf.get(id) ?? id;
  }

  private ofIncident(id: number): PlanSubject {
    return this.subject(`incident/${String(id)}`, id, this.membersOf.get(id) ?? []);
  }

  private ofAnomaly(id: number): PlanSubject {
    return this.subject(`anomaly/${String(id)}`, null, [this.single.get(id)!]);
  }

  private empty({ key, incidentId }: StoredPlan): PlanSubject {
    return this.subject(`left/${key}`, incidentId, []);
  }

  private subject(key: string, incidentId: number | null, anomalies: readonly PlannedAnomaly[]): PlanSubject {
    const known = this.found.get(key);
    if (known !== undefined) return known;
    const created = new PlanSubject(incidentId, anomalies, key);
    this.found.set(key, created);
    return created;
  }
}
