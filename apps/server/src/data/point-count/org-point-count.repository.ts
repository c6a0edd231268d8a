import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { HOUR } from '../../common/time.js';

/** Points of an organisation within a period. */
export interface PointCount {
  orgId: number;
  /** Start of the period, Unix seconds. */
  timestamp: number;
  points: number;
}

@Injectable()
export class OrgPointCountRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Adds to the stored counts; each period once. Counts of deleted organisations are dropped. */
  async addCounts(counts: readonly PointCount[]): Promise<void> {
    await this.dataSource.query(
      `INSERT INTO org_point_count AS stored (org_id, timestamp, points)
       SELECT added.org_id, added.timestamp, added.points
         FROM unnest($1::integer[], $2::float8[], $3::float8[]) AS added (org_id, timestamp, points)
         JOIN org ON org.id = added.org_id
        ORDER BY added.org_id, added.timestamp
       ON CONFLICT (org_id, timestamp) DO UPDATE SET points = stored.points + excluded.points`,
      [counts.map(({ orgId }) => orgId), counts.map(({ timestamp }) => timestamp), counts.map(({ points }) => points)],
    );
  }

  /** Sums by periods of `seconds` that start within [from, until]; Unix seconds. */
  sumByStretch(
    orgId: number,
    from: number,
    until: number,
    seconds: number,
  ): Promise<{ timestamp: number; count: number }[]> {
    return this.dataSource.query(
      `SELECT floor(timestamp / $4::float8) * $4::float8 AS timestamp, sum(points) AS count
         FROM org_point_count WHERE org_id = $1 AND timestamp BETWEEN $2 AND $3
        GROUP BY 1 ORDER BY 1`,
      [orgId, from, until, seconds],
    );
  }

  /** Combines counts from before a moment (Unix seconds) into hours, in all organisations. */
  async mergeBefore(before: number): Promise<void> {
    await this.dataSource.query(
      `WITH merged AS (
         DELETE FROM org_point_count
          WHERE timestamp < $1 AND timestamp <> floor(timestamp / ${String(HOUR)}) * ${String(HOUR)}
         RETURNING org_id, floor(timestamp / ${String(HOUR)}) * ${String(HOUR)} AS hour, points)
       INSERT INTO org_point_count AS stored (org_id, timestamp, points)
       SELECT org_id, hour, sum(points) FROM merged GROUP BY org_id, hour ORDER BY org_id, hour
       ON CONFLICT (org_id, timestamp) DO UPDATE SET points = stored.points + excluded.points`,
      [before],
    );
  }

  /** In all organisations. */
  async dropBefore(before: number): Promise<void> {
    await this.dataSource.query('DELETE FROM org_point_count WHERE timestamp < $1', [before]);
  }
}
