import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { type MatchTarget } from '../../data/chips/chips-match.js';

export interface SilentMetric extends MatchTarget {
  orgId: number;
  /** Unix seconds. */
  lastTimestamp: number;
}

export interface OrgSilence {
  orgId: number;
  /** Over all its metrics, Unix seconds. */
  lastTimestamp: number;
}

export interface RefusalEvent {
  orgId: number;
  timestamp: number;
  reason: string;
  points: number;
  metrics: string[];
}

/** A metric that sends, or has stopped without notice: neither history, nor excluded, nor removed. */
const EXPECTED = `s.state <> 'removed' AND s.excluded_at IS NULL AND NOT m.has_ended
  AND m.last_timestamp IS NOT NULL AND NOT m.only_history`;

/** Current problems, of all organisations: one statement per condition. */
@Injectable()
export class AdminConditionsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Organisations without a point of any metric after `since`, although some are expected to send. */
  listSilentOfAll(since: number): Promise<OrgSilence[]> {
    return this.dataSource.query(
      `SELECT m.org_id AS "orgId", max(m.last_timestamp) AS "lastTimestamp"
       FROM metric m JOIN metric_search s ON s.metric_id = m.id
       WHERE ${EXPECTED}
       GROUP BY m.org_id HAVING max(m.last_timestamp) < $1`,
      [since],
    );
  }

  /** Metrics of an organisation that are expected to send, the most recent sender first. */
  listExpected(orgId: number, limit: number): Promise<SilentMetric[]> {
    return this.listMetrics('m.org_id = $1', [orgId, limit]);
  }

  /** Metrics that are stale, of all organisations. */
  listStaleOfAll(limit: number): Promise<SilentMetric[]> {
    return this.listMetrics(`$1::integer IS NULL AND s.state = 'stale'`, [null, limit]);
  }

  /** Organisations that were refused new metrics since a moment, with the first time. */
  listOverQuotaOfAll(since: number): Promise<{ orgId: number; first: number }[]> {
    return this.dataSource.query(
      `SELECT org_id AS "orgId", extract(epoch FROM min(happened_at))::float8 AS first FROM org_event
       WHERE type = 'quota_exceeded' AND happened_at >= to_timestamp($1) GROUP BY org_id`,
      [since],
    );
  }

  /** Data that was refused since a moment because of its content. */
  listInvalidOfAll(since: number, reasons: readonly string[]): Promise<RefusalEvent[]> {
    return this.dataSource.query(
      `SELECT org_id AS "orgId", extract(epoch FROM happened_at)::float8 AS timestamp, details->>'reason' AS reason, (details->>'points')::float8 AS points,
              ARRAY(SELECT jsonb_array_elements_text(details->'metrics')) AS metrics
       FROM org_event
       WHERE type = 'ingest_refused' AND happened_at >= to_timestamp($1) AND details->>'reason' = ANY($2)
       ORDER BY happened_at`,
      [since, reasons],
    );
  }

  /** Organisations with a message that was given up. */
  async listWithFailuresOfAll(): Promise<number[]> {
    const rows: { orgId: number }[] = await this.dataSource.query(
      `SELECT DISTINCT org_id AS "orgId" FROM alert_delivery WHERE state = 'failed'`,
    );
    return rows.map(({ orgId }) => orgId);
  }

  private listMetrics(condition: string, parameters: readonly unknown[]): Promise<SilentMetric[]> {
    return this.dataSource.query(
      `SELECT m.org_id AS "orgId", m.name, m.labels, m.source, m.type, m.last_timestamp AS "lastTimestamp", s.state
       FROM metric m JOIN metric_search s ON s.metric_id = m.id
       WHERE ${EXPECTED} AND ${condition}
       ORDER BY m.last_timestamp DESC, m.id LIMIT $2`,
      [...parameters],
    );
  }
}
