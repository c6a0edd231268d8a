import { Injectable } from '@nestjs/common';
import { type Repository, type SelectQueryBuilder } from 'typeorm';
import { InjectRepository } from '../../common/database/inject-repository.decorator.js';
import { type Window } from '../../common/window/window.js';
import { type Chip } from '../../data/chips/chips.js';
import { chipsToSql } from '../../data/chips/chips-sql.js';
import { OUT_UNTIL_SQL } from '../../data/metric/anomaly-end.functions.js';
import { AnomalyEntity } from './anomaly.entity.js';

/** The anomalies of a metric within a window. */
export interface AnomalousMetric {
  metricId: number;
  metric: string;
  anomalies: number;
  open: number;
  /** Within the window. */
  seconds: number;
  maxSeverity: number;
  totalScore: number;
  /** Unix seconds, start of the newest. */
  lastTimestamp: number;
}

/** Metrics in the order of their anomalies. Times in Unix seconds; `now` defines the state of a metric for chips. */
@Injectable()
export class AnomalyRankingRepository {
  constructor(@InjectRepository(AnomalyEntity) private readonly rows: Repository<AnomalyEntity>) {}

  /** Metrics with anomalies that overlap the window, ordered by the sum of scores, descending. */
  mostAnomalous(
    orgId: number,
    { from, until }: Window,
    { chips = [], limit, now }: { chips?: readonly Chip[]; limit: number; now: number },
  ): Promise<AnomalousMetric[]> {
    return this.selectOrg(orgId, chips, now)
      .andWhere('a.start_timestamp <= :until AND (a.end_timestamp IS NULL OR a.end_timestamp >= :from)', {
        from,
        until,
      })
      .select('m.id', 'metricId')
      .addSelect('m.name', 'metric')
      .addSelect('count(*)::integer', 'anomalies')
      .addSelect(`count(*) FILTER (WHERE a.state = 'open')::integer`, 'open')
      .addSelect(
        `round(sum(least(coalesce(${OUT_UNTIL_SQL}, :until), :until) - greatest(a.start_timestamp, :from)))::integer`,
        'seconds',
      )
      .addSelect('max(a.severity)::integer', 'maxSeverity')
      .addSelect('sum(a.score)::float8', 'totalScore')
      .addSelect('max(a.start_timestamp)', 'lastTimestamp')
      .groupBy('m.id')
      .addGroupBy('m.name')
      .orderBy('sum(a.score)', 'DESC')
      .addOrderBy('m.id')
      .limit(limit)
      .getRawMany<AnomalousMetric>();
  }

  /** Ids of the newest anomaly of each metric, the newest first. */
  async newestOfEach(orgId: number, chips: readonly Chip[], limit: number, now: number): Promise<number[]> {
    const newest = this.selectOrg(orgId, chips, now)
      .select('DISTINCT ON (a.metric_id) a.id', 'id')
      .addSelect('a.start_timestamp', 'start')
      .orderBy('a.metric_id')
      .addOrderBy('a.start_timestamp', 'DESC');
    const rows = await this.rows.manager
      .createQueryBuilder()
      .select('n.id', 'id')
      .from(`(${newest.getQuery()})`, 'n')
      .setParameters(newest.getParameters())
      .orderBy('n.start', 'DESC')
      .addOrderBy('n.id', 'DESC')
      .limit(limit)
      .getRawMany<{ id: number }>();
    return rows.map(({ id }) => id);
  }

  private selectOrg(orgId: number, chips: readonly Chip[], now: number): SelectQueryBuilder<AnomalyEntity> {
    const { where, parameters } = chipsToSql(chips, 'm', now);
    return this.rows
      .createQueryBuilder('a')
      .innerJoin('metric', 'm', 'm.id = a.metric_id')
      .where('a.org_id = :orgId', { orgId })
      .andWhere(`(${where})`, parameters);
  }
}
