import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

interface FoundOfMetric {
  /** Open or closed. */
  anomalies: number;
  matches: number;
  patterns: number;
}

/** Findings on a metric that are erased with it, from the tables of several areas: only reads, with its own SQL. */
@Injectable()
export class MetricRemovalRepository {
  constructor(private readonly dataSource: DataSource) {}

  async count(orgId: number, metricId: number): Promise<FoundOfMetric> {
    const rows: FoundOfMetric[] = await this.dataSource.query(
      `SELECT (SELECT count(*)::integer FROM anomaly WHERE org_id = $1 AND metric_id = $2) AS anomalies,
              (SELECT count(*)::integer FROM pattern_match WHERE org_id = $1 AND metric_id = $2) AS matches,
              (SELECT count(*)::integer FROM pattern WHERE org_id = $1 AND metric_id = $2) AS patterns`,
      [orgId, metricId],
    );
    return rows[0]!;
  }
}
