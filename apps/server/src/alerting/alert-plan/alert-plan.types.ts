import { type AnomalyFacts, type PlanMember, type PlanState, type WatcherRule } from '#libs/alerting';
import { type IncidentFacts } from '../../analysis/incident/incident.types.js';
import { type Org } from '../../people/org/org.types.js';

/** Notifications of the database that anomalies were opened or changed, or joined an incident. */
export const ALERT_CHANGE_CHANNEL = 'alert_change';

/** An anomaly in plans and messages. */
export interface PlannedAnomaly {
  anomalyId: number;
  incidentId: number | null;
  /** The input of decisions; its id is that of the anomaly. */
  member: PlanMember;
  /** The content of the message. */
  facts: AnomalyFacts;
  /** The user who acknowledged it, and the note. */
  acknowledgedBy: number | null;
  note: string | null;
  /** Unix seconds. */
  acknowledgedAt: number | null;
  /** For chips. */
  source: string;
  type: string;
}

/** A stored plan of an incident with one watcher. */
export interface StoredPlan {
  key: string;
  incidentId: number | null;
  leadAnomalyId: number | null;
  state: PlanState;
}

/** The properties of an incident that messages contain. */
export type PlannedIncident = Omit<IncidentFacts, 'lastStartTimestamp' | 'backfill'> & { id: number };

/** An incident with its decisions. */
export interface DecidedIncident {
  org: Org;
  incident: PlannedIncident;
  anomalies: readonly PlannedAnomaly[];
  /** By watcher, before the decision. */
  before: ReadonlyMap<number, PlanState>;
  /** By watcher, after the decision. */
  plans: ReadonlyMap<number, StoredPlan>;
  rules: ReadonlyMap<number, WatcherRule>;
  /** Unix seconds. */
  now: number;
}
