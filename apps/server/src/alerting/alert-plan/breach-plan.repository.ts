import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { PLAN_TIMING, type PlanState } from '#libs/alerting';
import { type MetricType } from '#libs/contracts';
import { type Tx } from '../../common/database/transactions.js';
import { stateOf, type StateColumns, storedStateOf, UNDELIVERED_SQL } from './alert-plan.repository.js';
import { type Departure } from '../threshold/threshold.types.js';

/** A metric beyond a threshold. Times in Unix seconds. */
export interface StoredBreach {
  metricId: number;
  start: number;
  end: number | null;
  value: number;
  limit: number;
  /** Why it ended, unless the metric is back within the threshold. */
  departure?: Departure | undefined;
  /** Its name, in case it is deleted. */
  metric?: string | undefined;
}

/** Metrics that crossed a threshold together, and the decisions about them. */
export interface BreachPlan {
  key: string;
  watcherId: number;
  breaches: StoredBreach[];
  /** Null before the first check. */
  state: PlanState | null;
}

export interface BreachedMetric {
  id: number;
  name: string;
  labels: Record<string, string>;
  unit: string | null;
  source: string;
  type: MetricType;
}

/** Plans of thresholds. */
@Injectable()
export class BreachPlanRepository {
  constructor(private readonly dataSource: DataSource) {}

  async listOrgsToRecheck(now: number): Promise<number[]> {
    const rows: { orgId: number }[] = await this.dataSource.query(
      `SELECT DISTINCT org_id AS "orgId" FROM alert_plan WHERE due_at <= $1 AND breaches IS NOT NULL`,
      [now],
    );
    return rows.map(({ orgId }) => orgId);
  }

  /** Plans that are not over. */
  async open(orgId: number, tx: Tx): Promise<BreachPlan[]> {
    const rows: (Omit<BreachPlan, 'state'> & StateColumns)[] = await tx.query(
      `SELECT p.key, p.watcher_id AS "watcherId", p.breaches, p.state, p.told_metrics AS "notifiedMetrics",
              p.due_at AS "recheckAt", ${UNDELIVERED_SQL} AS "isUndelivered"
         FROM alert_plan p
         WHERE p.org_id = $1 AND p.breaches IS NOT NULL
           AND (p.phase IN ('held', 'told', 'acknowledged')
                OR p.phase = 'suppressed' AND p.breaches @? '$[*] ? (@.end == null)')
         ORDER BY p.id`,
      [orgId],
    );
    return rows.map(({ key, watcherId, breaches, ...columns }) => ({
      key,
      watcherId,
      breaches,
      state: stateOf(columns),
    }));
  }

  async metrics(orgId: number, ids: readonly number[], tx: Tx): Promise<Map<number, BreachedMetric>> {
    const rows: BreachedMetric[] = await tx.query(
      `SELECT id, name, labels, unit, source, type FROM metric WHERE org_id = $1 AND id = ANY($2::integer[])`,
      [orgId, ids],
    );
    return new Map(rows.map((row) => [row.id, row]));
  }

  /** How often metrics recently crossed thresholds, by watcher and metric. */
  async breachCounts(orgId: number, metricIds: readonly number[], now: number, tx: Tx): Promise<Map<string, number>> {
    const rows: { watcherId: number; metricId: number; count: number }[] = await tx.query(
      `SELECT watcher_id AS "watcherId", metric_id AS "metricId", count(*)::integer AS count FROM threshold_change
       WHERE org_id = $1 AND metric_id = ANY($2::integer[]) AND type = 'breached' AND timestamp > $3
       GROUP BY watcher_id, metric_id`,
      [orgId, metricIds, now - PLAN_TIMING.flappingSeconds],
    );
    return new Map(rows.map(({ watcherId, metricId, count }) => [breachKey(watcherId, metricId), count]));
  }

  async save(orgId: number, plans: readonly BreachPlan[], now: number, tx: Tx): Promise<void> {
    const rows = plans.flatMap(({ key, breaches, state }) => {
      if (state === null) return [];
      return {
        key,
        watcher_id: state.watcherId,
        phase: state.phase,
        due_at: state.recheckAt,
        told_at: state.notifiedAt,
        ended_at: state.endedAt,
        severity: Math.max(state.notifiedSeverity, state.shownSeverity),
        told_metrics: state.notifiedMetrics,
        state: storedStateOf(state),
        breaches,
      };
    });
    if (rows.length === 0) return;
    await tx.query(
      `INSERT INTO alert_plan (org_id, key, watcher_id, phase, due_at, told_at, ended_at, severity, told_metrics, state,
              breaches, planned_at)
       SELECT $1, n.key, n.watcher_id, n.phase, n.due_at, n.told_at, n.ended_at, n.severity, n.told_metrics, n.state,
              n.breaches, $3
       FROM jsonb_to_recordset($2::jsonb) AS n (key text, watcher_id integer, phase text, due_at float8, told_at float8,
              ended_at float8, severity smallint, told_metrics integer[], state jsonb, breaches jsonb)
       ON CONFLICT (org_id, key) DO UPDATE SET phase = excluded.phase, due_at = excluded.due_at,
              told_at = excluded.told_at, ended_at = excluded.ended_at, severity = excluded.severity,
              told_metrics = excluded.told_metrics, state = excluded.state, breaches = excluded.breaches,
              planned_at = excluded.planned_at`,
      [orgId, JSON.stringify(rows), now],
    );
  }
}

export const breachKey = (watcherId: number, metricId: number): string => `${String(watcherId)}-${String(metricId)}`;
