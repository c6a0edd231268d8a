import { Injectable } from '@nestjs/common';
import { Repository, type SelectQueryBuilder } from 'typeorm';
import { InjectRepository } from '../../common/database/inject-repository.decorator.js';
import { type Window } from '../../common/window/window.js';
import { type Chip } from '../../data/chips/chips.js';
import { chipsToSql } from '../../data/chips/chips-sql.js';
import { OUT_UNTIL_SQL } from '../../data/metric/anomaly-end.functions.js';
import { AnomalyEntity } from '../../analysis/anomaly/anomaly.entity.js';
import { type NoisyMetricCounts, type NoisyAnomaly } from './noisy-metrics.types.js';

@Injectable()
export class NoisyMetricsRepository {
  constructor(@InjectRepository(AnomalyEntity) private readonly rows: Repository<AnomalyEntity>) {}

  /**
   * The metrics with the most anomalies that overlap a window, and their outcomes. `now` defines the state of metrics.
   */
  listNoisiest(
    orgId: number,
    window: Window,
    chips: readonly Chip[] | undefined,
    limit: number,
    now: number,
  ): Promise<NoisyMetricCounts[]> {
    const query = this.within(orgId, window)
      .select('a.metric_id', 'metricId')
      .addSelect('m.name', 'metric')
      .addSelect('count(*)::integer', 'anomalies')
      .addSelect(`count(*) FILTER (WHERE a.state = 'open')::integer`, 'open')
      .addSelect('count(*) FILTER (WHERE a.acknowledged_at IS NOT NULL)::integer', 'acknowledged')
      .addSelect(`count(*) FILTER (WHERE a.state = 'trained')::integer`, 'trained')
      .addSelect('count(*) FILTER (WHERE a.positive)::integer', 'confirmed');
    if (chips) {
      const { where, parameters } = chipsToSql(chips, 'm', now);
      query.andWhere(where, parameters);
    }
    return query
      .groupBy('a.metric_id')
      .addGroupBy('m.name')
      .orderBy('count(*)', 'DESC')
      .addOrderBy('a.metric_id')
      .limit(limit)
      .getRawMany<NoisyMetricCounts>();
  }

  /** Number of anomalies of all metrics that overlap a window. */
  countAnomalies(orgId: number, window: Window): Promise<number> {
    return this.within(orgId, window).getCount();
  }

  /** The latest anomalies of some metrics that are not trained yet, up to a number of each. */
  listLatest(orgId: number, metricIds: readonly number[], window: Window, most: number): Promise<NoisyAnomaly[]> {
    return this.rows.query(
      `SELECT wanted.id AS "metricId", a.start_timestamp AS "start", a.end_timestamp AS "end",
              ${OUT_UNTIL_SQL} AS "outUntil", a.kind, a.positive AS "isConfirmed"
       FROM unnest($2::integer[]) AS wanted(id)
       CROSS JOIN LATERAL (
         SELECT metric_id, start_timestamp, end_timestamp, out_until_timestamp, kind, positive FROM anomaly
         WHERE org_id = $1 AND metric_id = wanted.id AND state <> 'trained' AND start_timestamp <= $4
           AND (end_timestamp IS NULL OR end_timestamp >= $3)
         ORDER BY start_timestamp DESC LIMIT $5) AS a`,
      [orgId, metricIds, window.from, window.until, most],
    );
  }

  private within(orgId: number, window: Window): SelectQueryBuilder<AnomalyEntity> {
    return this.rows
      .createQueryBuilder('a')
      .innerJoin('metric', 'm', 'm.id = a.metric_id')
      .where('a.org_id = :orgId', { orgId })
      .andWhere('a.start_timestamp <= :until AND (a.end_timestamp IS NULL OR a.end_timestamp >= :from)', window);
  }
}
