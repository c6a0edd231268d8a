import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

/**
 * Intervals of time, Unix seconds: the first starts at `from`, each is `seconds` long, the last starts before `until`.
 */
export interface Stretches {
  from: number;
  until: number;
  seconds: number;
}

interface Count {
  timestamp: number;
  count: number;
}

/**
 * Counts over time from the tables of several areas: reads only, and owns its SQL. Intervals without a count are
 * omitted.
 */
@Injectable()
export class OrgCountsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Anomalies or matches, by their start. */
  countStarted(
    table: 'anomaly' | 'pattern_match',
    orgId: number,
    { from, until, seconds }: Stretches,
  ): Promise<Count[]> {
    return this.dataSource.query(
      `SELECT floor(start_timestamp / $4::float8) * $4::float8 AS timestamp, count(*)::integer AS count
         FROM ${table} WHERE org_id = $1 AND start_timestamp >= $2 AND start_timestamp < $3
        GROUP BY 1`,
      [orgId, from, until, seconds],
    );
  }

  /** Change of the number of metrics; the first row, at `from` - `seconds`, is the number before `from`. */
  metricsChanged(orgId: number, { from, until, seconds }: Stretches): Promise<Count[]> {
    return this.dataSource.query(
      `SELECT greatest(floor(at / $4::float8) * $4::float8, $2::float8 - $4::float8) AS timestamp, sum(change)::integer AS count
         FROM (SELECT extract(epoch FROM created_at)::float8 AS at, 1 AS change FROM metric WHERE org_id = $1
               UNION ALL
               SELECT extract(epoch FROM removed_at)::float8, -1 FROM metric
                WHERE org_id = $1 AND removed_at IS NOT NULL) changes
        WHERE at < $3
        GROUP BY 1`,
      [orgId, from, until, seconds],
    );
  }
}
