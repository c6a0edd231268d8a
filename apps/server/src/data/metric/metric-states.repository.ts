import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { type MetricState } from '#libs/contracts';
import { metricStateSql } from '../chips/metric-state-sql.js';

/** A metric whose state has changed. */
export interface StateChange {
  metricId: number;
  orgId: number;
  name: string;
  before: MetricState;
  after: MetricState;
  /** All points of it are history. */
  isOnlyHistory: boolean;
}

export interface OrgFlow {
  orgId: number;
  /** Data had stopped, and that was reported. */
  hasStopped: boolean;
  /** The metric sends live points. */
  isFlowing: boolean;
}

/** Updates the states of metrics that follow from time. */
@Injectable()
export class MetricStatesRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Updates at most `limit` states. `now` in Unix seconds. */
  refresh(now: number, limit: number): Promise<StateChange[]> {
    return this.bringUpToDate(`was.state <> ${metricStateSql('m', '$1')} LIMIT $2`, [now, limit]);
  }

  /** Of the given metrics, those that were silent and send again. */
  refreshReturned(now: number, ids: Uint32Array): Promise<StateChange[]> {
    return this.bringUpToDate(
      `was.metric_id = ANY($2::integer[]) AND was.state IN ('stale', 'inactive') AND ${metricStateSql('m', '$1')} = 'active'`,
      [now, [...ids]],
    );
  }

  private async bringUpToDate(condition: string, parameters: readonly unknown[]): Promise<StateChange[]> {
    const [rows]: [StateChange[], number] = await this.dataSource.query(
      `UPDATE metric_search AS s SET state = c.after
       FROM (SELECT was.metric_id, was.state AS before, ${metricStateSql('m', '$1')} AS after, m.name,
                    m.only_history AS "isOnlyHistory"
             FROM metric_search was JOIN metric m ON m.id = was.metric_id
             WHERE ${condition}) AS c
       WHERE s.metric_id = c.metric_id AND s.state = c.before
       RETURNING s.metric_id AS "metricId", s.org_id AS "orgId", c.name, c.before, c.after, c."isOnlyHistory"`,
      [...parameters],
    );
    return rows;
  }

  /** For organisations whose data has stopped, and for the given ones. */
  flows(orgIds: readonly number[]): Promise<OrgFlow[]> {
    return this.dataSource.query(
      `SELECT o.id AS "orgId", o.data_stopped_at IS NOT NULL AS "hasStopped",
              EXISTS (SELECT FROM metric_search s JOIN metric m ON m.id = s.metric_id
                      WHERE s.org_id = o.id AND s.state = 'active' AND NOT m.only_history) AS "isFlowing"
       FROM org o WHERE o.data_stopped_at IS NOT NULL OR o.id = ANY($1::integer[])`,
      [orgIds],
    );
  }

  /** True if this changes the stored state. `at`: null when data flows again. */
  async noteStopped(orgId: number, at: Date | null): Promise<boolean> {
    const [, changed]: [unknown, number] = await this.dataSource.query(
      `UPDATE org SET data_stopped_at = $2 WHERE id = $1 AND (data_stopped_at IS NULL) <> ($2::timestamptz IS NULL)`,
      [orgId, at],
    );
    return changed === 1;
  }
}
