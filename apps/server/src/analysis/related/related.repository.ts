import { Injectable } from '@nestjs/common';
import { type Repository } from 'typeorm';
import { InjectRepository } from '../../common/database/inject-repository.decorator.js';
import { MetricEntity } from '../../data/metric/metric.entity.js';

/** Finds metrics that may be related to one: few, whatever the number of metrics. */
@Injectable()
export class RelatedRepository {
  constructor(@InjectRepository(MetricEntity) private readonly rows: Repository<MetricEntity>) {}

  /**
   * Metrics with anomalies in the same incidents since a time (Unix seconds), those with most common incidents first.
   * Missing data does not count: metrics that stop together have the same sender, and need not be related.
   */
  async sharedIncidents(
    orgId: number,
    metricId: number,
    since: number,
    limit: number,
  ): Promise<ReadonlyMap<number, number>> {
    const rows: { metricId: number; incidents: number }[] = await this.rows.query(
      `WITH own AS (
         SELECT DISTINCT l.incident_id FROM anomaly a JOIN incident_anomaly l ON l.anomaly_id = a.id
         WHERE a.org_id = $1 AND a.metric_id = $2 AND a.start_timestamp >= $3 AND a.kind <> 'missing_data'
         ORDER BY l.incident_id DESC LIMIT 200)
       SELECT a.metric_id AS "metricId", count(DISTINCT l.incident_id)::integer AS incidents
       FROM own JOIN incident_anomaly l USING (incident_id) JOIN anomaly a ON a.id = l.anomaly_id
       WHERE a.metric_id <> $2 AND a.kind <> 'missing_data'
       GROUP BY a.metric_id ORDER BY 2 DESC, 1 LIMIT $4`,
      [orgId, metricId, since, limit],
    );
    return new Map(rows.map((row) => [row.metricId, row.incidents]));
  }

  /** Some metrics with a label of this value, without removed ones. */
  async withLabel(orgId: number, { key, value }: { key: string; value: string }, limit: number): Promise<number[]> {
    const rows: { id: number }[] = await this.rows.query(
      `SELECT metric_id AS id FROM metric_search
       WHERE org_id = $1 AND state <> 'removed' AND labels @> jsonb_build_object(lower($2::text), lower($3::text))
       LIMIT $4`,
      [orgId, key, value, limit],
    );
    return rows.map(({ id }) => id);
  }

  /** Some metrics with this name prefix, without removed ones. */
  async withBeginning(orgId: number, beginning: string, limit: number): Promise<number[]> {
    const rows: { id: number }[] = await this.rows.query(
      `SELECT metric_id AS id FROM metric_search
       WHERE org_id = $1 AND state <> 'removed' AND left(name, 128) >= $2 AND left(name, 128) < $2 || chr(1114111)
       ORDER BY left(name, 128) LIMIT $3`,
      [orgId, beginning.toLowerCase().slice(0, 128), limit],
    );
    return rows.map(({ id }) => id);
  }
}
