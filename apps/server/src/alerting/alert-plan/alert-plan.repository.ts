import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import {
  BUDGET_SECONDS,
  type AnomalyEnding,
  type EarlierMessage,
  PLAN_TIMING,
  type PlanState,
  type BudgetedMessage,
  type WatcherRule,
} from '#libs/alerting';
import { type AnomalyKind, type AnomalyState, type CloseReason, type MetricType } from '#libs/contracts';
import { DATABASE_LOCKS } from '#libs/database-locks';
import { shownUnit } from '#libs/wording';
import { type Tx } from '../../common/database/transactions.js';
import { ENDED_SQL, OUT_UNTIL_SQL } from '../../data/metric/anomaly-end.functions.js';
import { type StoredPlanState } from './alert-plan.entity.js';
import { type PlannedAnomaly, type PlannedIncident, type StoredPlan } from './alert-plan.types.js';
import { directionOf } from './direction.js';

export interface AlertChange {
  id: string;
  anomalyId: number;
  /** Seconds since the change, by the clock of the database. */
  age: number;
  /** Grouping has not processed it yet. */
  isUngrouped: boolean;
}

interface AnomalyRow {
  id: number;
  incidentId: number | null;
  metricId: number;
  kind: AnomalyKind;
  severity: number;
  start: number;
  end: number | null;
  outUntil: number | null;
  knownUntil: number | null;
  state: AnomalyState;
  acknowledgedBy: number | null;
  note: string | null;
  acknowledgedAt: number | null;
  isQuiet: boolean;
  value: number | null;
  peakValue: number | null;
  lower: number | null;
  upper: number | null;
  reason: string | null;
  closeReason: CloseReason | null;
  name: string;
  labels: Record<string, string>;
  unit: string | null;
  source: string;
  type: MetricType;
  earlierStarts: number;
}

const ANOMALY = `SELECT a.id, l.incident_id AS "incidentId", a.metric_id AS "metricId", a.kind, a.severity,
    a.start_timestamp AS start, ${ENDED_SQL} AS "end",
    ${OUT_UNTIL_SQL} AS "outUntil", CASE WHEN a.kind <> 'missing_data' THEN m.last_timestamp END AS "knownUntil", a.state, a.acknowledged_by AS "acknowledgedBy",
    a.acknowledge_note AS note, extract(epoch FROM a.acknowledged_at)::float8 AS "acknowledgedAt",
    (a.backfill OR a.quiet) AS "isQuiet", a.value, a.peak_value AS "peakValue", a.lower, a.upper, a.close_reason AS "closeReason",
    a.explanation -> 0 ->> 'text' AS reason, m.name, m.labels, m.unit, m.source, m.type,
    (SELECT count(*)::integer FROM anomaly e WHERE e.metric_id = a.metric_id AND e.start_timestamp < a.start_timestamp
       AND e.start_timestamp > a.start_timestamp - ${String(PLAN_TIMING.flappingSeconds)}) AS "earlierStarts"
  FROM anomaly a JOIN metric m ON m.id = a.metric_id LEFT JOIN incident_anomaly l ON l.anomaly_id = a.id`;

/**
 * SQL: no recipient got a message of a plan `p`, and none is queued: all have failed, none could be sent for lack of a
 * channel, or they were suppressed before they were sent.
 */
export const UNDELIVERED_SQL = `EXISTS (
    SELECT FROM alert h WHERE h.org_id = p.org_id AND h.key = p.key AND NOT EXISTS (
      SELECT FROM alert_delivery e WHERE e.alert_id = h.id AND e.life = h.life
        AND e.state IN ('sent', 'queued', 'retrying')))`;
/** SQL: no recipient of a plan `p` has a message yet. */
const IS_PENDING = `NOT EXISTS (
    SELECT FROM alert h JOIN alert_delivery e ON e.alert_id = h.id AND e.life = h.life
    WHERE h.org_id = p.org_id AND h.key = p.key AND e.state = 'sent')`;

const PLAN = `SELECT p.key, p.incident_id AS "incidentId", p.lead_anomaly_id AS "leadAnomalyId", p.state,
    p.told_metrics AS "notifiedMetrics", p.due_at AS "recheckAt", ${UNDELIVERED_SQL} AS "isUndelivered" FROM alert_plan p`;

/** The state of a plan as columns. */
export interface StateColumns {
  state: StoredPlanState;
  notifiedMetrics: number[];
  /** Differs from that of the state if `recheckStale` has set it. */
  recheckAt: number | null;
  isUndelivered: boolean;
}

type PlanRow = Omit<StoredPlan, 'state'> & StateColumns;

/** A metric that a message mentioned. */
export interface NotifiedMetric extends EarlierMessage {
  /** Of the plan. */
  key: string;
  watcherId: number;
  metricId: number;
}

/** A message of a watcher. */
export interface WatcherMessage extends BudgetedMessage {
  key: string;
  watcherId: number;
}

/** Reads changes, and writes decisions. Times in Unix seconds. */
@Injectable()
export class AlertPlanRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Organisations with pending decisions. */
  async orgsWithWork(now: number): Promise<number[]> {
    const rows: { orgId: number }[] = await this.dataSource.query(
      `WITH RECURSIVE orgs AS (
         (SELECT org_id FROM alert_change ORDER BY org_id LIMIT 1)
         UNION ALL
         SELECT (SELECT c.org_id FROM alert_change c WHERE c.org_id > o.org_id ORDER BY c.org_id LIMIT 1)
         FROM orgs o WHERE o.org_id IS NOT NULL
       ) SELECT org_id AS "orgId" FROM orgs WHERE org_id IS NOT NULL
       UNION SELECT org_id FROM alert_plan WHERE due_at <= $1 AND breaches IS NULL`,
      [now],
    );
    return rows.map(({ orgId }) => orgId);
  }

  /**
   * Takes the lock for planning the alerts of an organisation, held until the transaction ends. False: another process
   * has it.
   */
  async tryLock(orgId: number, tx: Tx): Promise<boolean> {
    const rows: { got: boolean }[] = await tx.query('SELECT pg_try_advisory_xact_lock($1, $2) AS got', [
      DATABASE_LOCKS.alertPlan.number,
      orgId,
    ]);
    return rows[0]!.got;
  }

  changes(orgId: number, limit: number, tx: Tx): Promise<AlertChange[]> {
    return tx.query(
      `SELECT c.id, c.anomaly_id AS "anomalyId", extract(epoch FROM clock_timestamp() - c.changed_at)::float8 AS age,
              c.anomaly_id IN (SELECT g.anomaly_id FROM anomaly_change g
                               WHERE g.org_id = $1 AND g.anomaly_id IS NOT NULL) AS "isUngrouped"
       FROM alert_change c WHERE c.org_id = $1 ORDER BY c.id LIMIT $2`,
      [orgId, limit],
    );
  }

  /** Exactly these: later changes are still pending. */
  async deleteChanges(orgId: number, ids: readonly string[], tx: Tx): Promise<void> {
    if (ids.length === 0) return;
    await tx.query('DELETE FROM alert_change WHERE org_id = $1 AND id = ANY($2::bigint[])', [orgId, ids]);
  }

  async anomalies(orgId: number, ids: readonly number[], tx: Tx): Promise<PlannedAnomaly[]> {
    if (ids.length === 0) return [];
    const rows: AnomalyRow[] = await tx.query(
      `${ANOMALY} WHERE a.org_id = $1 AND a.id = ANY($2::integer[]) ORDER BY a.id`,
      [orgId, ids],
    );
    return rows.map(toAnomaly);
  }

  async anomaliesOfIncidents(orgId: number, incidentIds: readonly number[], tx: Tx): Promise<PlannedAnomaly[]> {
    if (incidentIds.length === 0) return [];
    const rows: AnomalyRow[] = await tx.query(
      `${ANOMALY} WHERE a.org_id = $1 AND l.org_id = $1 AND l.incident_id = ANY($2::integer[]) ORDER BY a.id`,
      [orgId, incidentIds],
    );
    return rows.map(toAnomaly);
  }

  async incidents(orgId: number, ids: readonly number[], tx: Tx): Promise<Map<number, PlannedIncident>> {
    const rows: PlannedIncident[] = await tx.query(
      `SELECT id, state, title, start_timestamp AS "startTimestamp", end_timestamp AS "endTimestamp", severity,
              anomalies_count AS "anomaliesCount", metrics_count AS "metricsCount", common_labels AS "commonLabels", origins
       FROM incident WHERE org_id = $1 AND id = ANY($2::integer[])`,
      [orgId, ids],
    );
    return new Map(rows.map((row) => [row.id, row]));
  }

  /** Plans of incidents, and those that began with one of the anomalies. */
  async plans(
    orgId: number,
    { incidentIds, anomalyIds }: { incidentIds: readonly number[]; anomalyIds: readonly number[] },
    tx: Tx,
  ): Promise<StoredPlan[]> {
    const rows: PlanRow[] = await tx.query(
      `${PLAN} WHERE p.org_id = $1 AND p.breaches IS NULL
         AND (p.incident_id = ANY($2::integer[]) OR p.lead_anomaly_id = ANY($3::integer[])) ORDER BY p.id`,
      [orgId, incidentIds, anomalyIds],
    );
    return rows.map(toPlan);
  }

  /** Incidents that messages have reported for these metrics, but not yet as over. */
  async incidentsReporting(orgId: number, metricIds: readonly number[], tx: Tx): Promise<number[]> {
    if (metricIds.length === 0) return [];
    const rows: { id: number }[] = await tx.query(
      `SELECT DISTINCT incident_id AS id FROM alert_plan
       WHERE org_id = $1 AND phase IN ('told', 'acknowledged') AND incident_id IS NOT NULL
         AND told_metrics && $2::integer[]`,
      [orgId, metricIds],
    );
    return rows.map(({ id }) => id);
  }

  /** Plans whose time has come. */
  async listPlansToRecheck(orgId: number, now: number, limit: number, tx: Tx): Promise<StoredPlan[]> {
    const rows: PlanRow[] = await tx.query(
      `${PLAN} WHERE p.org_id = $1 AND p.due_at <= $2 AND p.breaches IS NULL ORDER BY p.due_at, p.id LIMIT $3`,
      [orgId, now, limit],
    );
    return rows.map(toPlan);
  }

  /**
   * Messages of watchers about metrics within the relevant time, oldest first; messages that no recipient got do not
   * count.
   */
  async earlierMessages(
    orgId: number,
    rules: readonly WatcherRule[],
    metricIds: readonly number[],
    now: number,
    tx: Tx,
  ): Promise<NotifiedMetric[]> {
    if (rules.length === 0 || metricIds.length === 0) return [];
    return tx.query(
      `SELECT p.key, p.watcher_id AS "watcherId", t.metric_id AS "metricId", p.told_at AS at,
              (p.phase IN ('told', 'acknowledged') AND p.ended_at IS NOT NULL) AS "isSettling",
              ${IS_PENDING} AS "isPending"
       FROM unnest($2::integer[], $3::float8[]) AS w (id, since)
       JOIN alert_plan p ON p.watcher_id = w.id AND p.org_id = $1 AND p.told_metrics && $4::integer[]
         AND (p.told_at > w.since OR (p.phase IN ('told', 'acknowledged') AND p.ended_at IS NOT NULL))
       CROSS JOIN LATERAL unnest(p.told_metrics) AS t (metric_id)
       WHERE t.metric_id = ANY($4::integer[]) AND p.told_at IS NOT NULL AND NOT ${UNDELIVERED_SQL}
       ORDER BY p.told_at, p.id`,
      [
        orgId,
        rules.map(({ id }) => id),
        rules.map(({ expirationSeconds }) => now - Math.max(expirationSeconds, PLAN_TIMING.flappingSeconds)),
        metricIds,
      ],
    );
  }

  /** Messages of watchers in the four weeks of budgets, oldest first; messages that no recipient got cost nothing. */
  async budgeted(orgId: number, watcherIds: readonly number[], now: number, tx?: Tx): Promise<WatcherMessage[]> {
    if (watcherIds.length === 0) return [];
    return (tx ?? this.dataSource).query(
      `SELECT p.key, p.watcher_id AS "watcherId", p.told_at AS at, p.severity FROM alert_plan p
       WHERE p.org_id = $1 AND p.watcher_id = ANY($2::integer[]) AND p.told_at > $3 AND NOT ${UNDELIVERED_SQL}
       ORDER BY p.told_at, p.id`,
      [orgId, watcherIds, now - BUDGET_SECONDS],
    );
  }

  /** Of the metrics, those with an open anomaly that alerts. */
  async anomalousMetrics(orgId: number, metricIds: readonly number[], tx: Tx): Promise<Set<number>> {
    if (metricIds.length === 0) return new Set();
    const rows: { id: number }[] = await tx.query(
      `SELECT DISTINCT metric_id AS id FROM anomaly
       WHERE org_id = $1 AND metric_id = ANY($2::integer[]) AND state = 'open' AND NOT backfill AND NOT quiet`,
      [orgId, metricIds],
    );
    return new Set(rows.map(({ id }) => id));
  }

  async save(orgId: number, plans: readonly StoredPlan[], now: number, tx: Tx): Promise<void> {
    if (plans.length === 0) return;
    const rows = plans.map(({ key, incidentId, leadAnomalyId, state }) => ({
      key,
      watcher_id: state.watcherId,
      incident_id: incidentId,
      lead_anomaly_id: leadAnomalyId,
      phase: state.phase,
      due_at: state.recheckAt,
      told_at: state.notifiedAt,
      ended_at: state.endedAt,
      severity: Math.max(state.notifiedSeverity, state.shownSeverity),
      told_metrics: state.notifiedMetrics,
      state: storedStateOf(state),
    }));
    await tx.query(
      `INSERT INTO alert_plan (org_id, key, watcher_id, incident_id, lead_anomaly_id, phase, due_at, told_at, ended_at,
              severity, told_metrics, state, planned_at)
       SELECT $1, n.key, n.watcher_id, n.incident_id, n.lead_anomaly_id, n.phase, n.due_at, n.told_at, n.ended_at,
              n.severity, n.told_metrics, n.state, $3
       FROM jsonb_to_recordset($2::jsonb) AS n (key text, watcher_id integer, incident_id integer,
              lead_anomaly_id integer, phase text, due_at float8, told_at float8, ended_at float8, severity smallint,
              told_metrics integer[], state jsonb)
       ON CONFLICT (org_id, key) DO UPDATE SET incident_id = excluded.incident_id,
              lead_anomaly_id = excluded.lead_anomaly_id, phase = excluded.phase, due_at = excluded.due_at,
              told_at = excluded.told_at, ended_at = excluded.ended_at, severity = excluded.severity,
              told_metrics = excluded.told_metrics, state = excluded.state, planned_at = excluded.planned_at`,
      [orgId, JSON.stringify(rows), now],
    );
  }

  async drop(orgId: number, keys: readonly string[], tx: Tx): Promise<void> {
    if (keys.length === 0) return;
    await tx.query('DELETE FROM alert_plan WHERE org_id = $1 AND key = ANY($2)', [orgId, keys]);
  }

  /**
   * Marks open plans as due that were not checked for long, because an erased anomaly causes no change, and those of
   * thresholds whose watcher no longer alerts.
   */
  async recheckStale(before: number, now: number): Promise<void> {
    await this.dataSource.query(
      `UPDATE alert_plan p SET due_at = $2, planned_at = $2
       WHERE p.due_at IS NULL AND p.phase IN ('told', 'acknowledged') AND (p.planned_at < $1
         OR p.breaches IS NOT NULL AND NOT EXISTS (
           SELECT FROM watcher w WHERE w.id = p.watcher_id AND w.alert AND w.deleted_at IS NULL))`,
      [before, now],
    );
  }

  /** Watchers that alert within a budget; with `onlyNew` those whose budget was never computed. */
  budgetedWatchers({ onlyNew }: { onlyNew: boolean }): Promise<{ orgId: number; watcherId: number }[]> {
    return this.dataSource.query(
      `SELECT org_id AS "orgId", id AS "watcherId" FROM watcher
       WHERE alert AND alert_budget_per_week IS NOT NULL AND deleted_at IS NULL AND (NOT $1 OR budget_achieved IS NULL)
       ORDER BY id`,
      [onlyNew],
    );
  }

  /** Deletes plans that no budget or expiration needs any more; returns their number. */
  async dropOld(before: number, limit: number): Promise<number> {
    const [, count] = await this.dataSource.query<[unknown[], number]>(
      `DELETE FROM alert_plan WHERE id IN (
         SELECT id FROM alert_plan WHERE planned_at < $1 AND phase IN ('suppressed', 'recovered') LIMIT $2)`,
      [before, limit],
    );
    return count;
  }
}

function toPlan({ state, notifiedMetrics, recheckAt, isUndelivered, ...row }: PlanRow): StoredPlan {
  return { ...row, state: stateOf({ state, notifiedMetrics, recheckAt, isUndelivered }) };
}

/** The current state of a plan, without the outcomes of its messages. */
export function stateOf({ state, notifiedMetrics, recheckAt, isUndelivered }: StateColumns): PlanState {
  const { toldAt, toldSeverity, toldCount, dueAt: _, ...rest } = state;
  const notified = {
    notifiedAt: isUndelivered ? null : toldAt,
    notifiedSeverity: toldSeverity,
    notifiedCount: toldCount,
    notifiedMetrics,
  };
  return { ...rest, ...notified, recheckAt };
}

/** The part of a state without separate columns. */
export function storedStateOf(state: PlanState): StoredPlanState {
  const { notifiedMetrics: _, notifiedAt, notifiedSeverity, notifiedCount, recheckAt, ...rest } = state;
  return { ...rest, toldAt: notifiedAt, toldSeverity: notifiedSeverity, toldCount: notifiedCount, dueAt: recheckAt };
}

function toAnomaly(row: AnomalyRow): PlannedAnomaly {
  const { id, incidentId, metricId, kind, severity, start, end, value, peakValue, lower, upper } = row;
  return {
    anomalyId: id,
    incidentId,
    acknowledgedBy: row.acknowledgedBy,
    note: row.note,
    acknowledgedAt: row.acknowledgedAt,
    source: row.source,
    type: row.type,
    member: {
      id,
      metricId,
      kind,
      severity,
      direction: directionOf(row),
      start,
      end,
      outUntil: row.outUntil,
      knownUntil: row.knownUntil,
      state: row.state === 'open' ? 'open' : row.state === 'resolved' ? 'ended' : 'withdrawn',
      isAcknowledged: row.acknowledgedAt !== null,
      isQuiet: row.isQuiet,
      isExcluded: false,
      earlierStarts: row.earlierStarts,
    },
    facts: {
      anomalyId: id,
      metricId,
      metric: row.name,
      labels: row.labels,
      unit: shownUnit(row),
      kind,
      severity,
      start,
      end,
      value,
      lower,
      upper,
      peakValue,
      reason: row.reason,
      ending: endingOf(row),
    },
  };
}

function endingOf({ state, closeReason }: AnomalyRow): AnomalyEnding | null {
  if (state === 'open') return null;
  if (state === 'excluded') return 'excluded';
  if (state !== 'resolved') return 'expected';
  return closeReason === 'adapted' || closeReason === 'data_ended' ? closeReason : 'recovered';
}
