import { type AnomalyFacts, type PlanMember, type PlanState } from '#libs/alerting';
import { type IncidentFacts } from '../../analysis/incident/incident.types.js';

/** An anomaly as it is planned and as messages tell of it. */
export interface PlannedAnomaly {
  anomalyId: number;
  incidentId: number | null;
  /** What decides; its id is that of the anomaly. */
  member: PlanMember;
  /** What is told. */
  facts: AnomalyFacts;
  /** Who acknowledged it, and what they noted. */
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

/** What messages say of an incident. */
export type PlannedIncident = Omit<IncidentFacts, 'lastStartTimestamp' | 'backfill'> & { id: number };
