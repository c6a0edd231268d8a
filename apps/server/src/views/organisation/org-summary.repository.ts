import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { DAY } from '../../common/time.js';
import { countsAgainstQuotaSql, metricStateSql } from '../../data/chips/metric-state-sql.js';

export interface MetricCounts {
  active: number;
  stale: number;
  inactive: number;
  /** Metrics that count against the quota. */
  counted: number;
  /** Unix seconds of the newest slot of any metric. */
  lastTimestamp: number | null;
}

export interface AnomalyCounts {
  open: number;
  last24h: number;
  last7d: number;
  last30d: number;
}

export interface MatchCounts {
  last24h: number;
  last7d: number;
  last30d: number;
}

export interface PatternCounts {
  total: number;
  enabled: number;
  trained: number;
  /** Created by the product: from companions, from similarity, from recurring anomalies. */
  learnt: number;
  /** Being built. */
  pending: number;
}

const MINUTE = 60;

/** Counts over the tables of several areas: reads only, and owns its SQL. Times in Unix seconds. */
@Injectable()
export class OrgSummaryRepository {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** Metrics that were excluded from the quota do not count. */
  async countMetrics(orgId: number, now: number): Promise<MetricCounts> {
    const rows: MetricCounts[] = await this.dataSource.query(
      `SELECT count(*) FILTER (WHERE state = 'active')::integer AS active,
              count(*) FILTER (WHERE state = 'stale')::integer AS stale,
              count(*) FILTER (WHERE state = 'inactive')::integer AS inactive,
              (SELECT count(*)::integer FROM metric_search s
                WHERE s.org_id = $1 AND ${countsAgainstQuotaSql('s', '$2')}) AS counted,
              max(last_timestamp) AS "lastTimestamp"
         FROM (SELECT ${metricStateSql('m', '$2')} AS state, m.last_timestamp FROM metric m WHERE m.org_id = $1) counted`,
      [orgId, now],
    );
    return rows[0]!;
  }

  /** An anomaly counts for every period that it overlaps, as in lists of anomalies. */
  async countAnomalies(orgId: number, now: number): Promise<AnomalyCounts> {
    const since = (days: number) =>
      `count(*) FILTER (WHERE coalesce(end_timestamp, 'Infinity') >= $2::double precision - ${String(days * DAY)})::integer`;
    const rows: AnomalyCounts[] = await this.dataSource.query(
      `SELECT count(*) FILTER (WHERE state = 'open')::integer AS open,
              ${since(1)} AS "last24h", ${since(7)} AS "last7d", ${since(30)} AS "last30d"
         FROM anomaly
        WHERE org_id = $1 AND start_timestamp <= $2::double precision`,
      [orgId, now],
    );
    return rows[0]!;
  }

  /** Counted by the start of the matched part. */
  async countMatches(orgId: number, now: number): Promise<MatchCounts> {
    const since = (days: number) =>
      `count(*) FILTER (WHERE start_timestamp >= $2::double precision - ${String(days * DAY)})::integer`;
    const rows: MatchCounts[] = await this.dataSource.query(
      `SELECT ${since(1)} AS "last24h", ${since(7)} AS "last7d", ${since(30)} AS "last30d"
         FROM pattern_match
        WHERE org_id = $1 AND start_timestamp BETWEEN $2::double precision - ${String(30 * DAY)} AND $2::double precision`,
      [orgId, now],
    );
    return rows[0]!;
  }

  /** Like `countMatches` for a single period, so that a day is counted without reading the other 29. */
  async countMatchesSince(orgId: number, from: number, until: number): Promise<number> {
    const rows: { count: number }[] = await this.dataSource.query(
      `SELECT count(*)::integer AS count FROM pattern_match WHERE org_id = $1 AND start_timestamp BETWEEN $2 AND $3`,
      [orgId, from, until],
    );
    return rows[0]!.count;
  }

  async countPatterns(orgId: number): Promise<PatternCounts> {
    const rows: PatternCounts[] = await this.dataSource.query(
      `SELECT count(*)::integer AS total,
              count(*) FILTER (WHERE enabled)::integer AS enabled,
              count(*) FILTER (WHERE origin = 'trained')::integer AS trained,
              count(*) FILTER (WHERE origin <> 'trained')::integer AS learnt,
              (SELECT count(*)::integer FROM pending_pattern q WHERE q.org_id = $1) AS pending
         FROM pattern
        WHERE org_id = $1`,
      [orgId],
    );
    return rows[0]!;
  }

  /**
   * Points of the last minute whose slots have all been closed and written: the one before the last full minute. A
   * metric whose newest slot is in that minute has a point for each of its intervals up to that slot; one that has sent
   * since then has all of them, unless its interval is longer than a minute. An interval is at least a slot.
   */
  async countPointsOfLastMinute(orgId: number, now: number): Promise<number> {
    const until = Math.floor(now / MINUTE) * MINUTE - MINUTE;
    const rows: { points: number }[] = await this.dataSource.query(
      `SELECT coalesce(sum(CASE WHEN m.last_timestamp < $3 THEN 1 + floor((m.last_timestamp - $2) / interval)
                                WHEN interval <= $4::float8 THEN floor($4::float8 / interval) ELSE 0 END), 0)::integer AS points
         FROM metric m JOIN org o ON o.id = m.org_id,
              LATERAL (SELECT greatest(coalesce(m.resolution_seconds, $4),
                                      o.retention_1_resolution_seconds)::float8 AS interval) AS i
        WHERE m.org_id = $1 AND m.last_timestamp >= $2`,
      [orgId, until - MINUTE, until, MINUTE],
    );
    return rows[0]!.points;
  }
}
