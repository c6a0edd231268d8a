import { Injectable } from '@nestjs/common';
import { type Repository } from 'typeorm';
import { type SummaryFacts } from '#libs/alerting';
import { type Tx } from '../../common/database/transactions.js';
import { InjectRepository } from '../../common/database/inject-repository.decorator.js';
import { type Chip } from '../../data/chips/chips.js';
import { metricsCoveredBy } from '../../data/chips/covered-metrics.repository.js';
import { AlertPlanEntity } from './alert-plan.entity.js';

/** A period with an exclusive end. Unix seconds. */
export interface SummarySpan {
  from: number;
  until: number;
}

export type SummaryIncident = Omit<SummaryFacts['incidents'][number], 'url'>;

/** Incidents that a summary chooses from. */
const MAX_INCIDENTS = 100;

/** The anomalies that a watcher saw in a period. */
@Injectable()
export class AlertSummaryRepository {
  constructor(@InjectRepository(AlertPlanEntity) private readonly rows: Repository<AlertPlanEntity>) {}

  async counts(
    orgId: number,
    chips: readonly Chip[],
    span: SummarySpan,
  ): Promise<Pick<SummaryFacts['counts'], 'incidents' | 'anomalies' | 'metrics' | 'stillOpen'>> {
    const found = await this.anomalies(orgId, chips, span)
      .select('count(*)::integer', 'anomalies')
      .addSelect('count(DISTINCT a.metric_id)::integer', 'metrics')
      .addSelect('count(DISTINCT coalesce(l.incident_id, -a.id))::integer', 'incidents')
      .addSelect(`count(*) FILTER (WHERE a.state = 'open')::integer`, 'stillOpen')
      .getRawOne<Pick<SummaryFacts['counts'], 'incidents' | 'anomalies' | 'metrics' | 'stillOpen'>>();
    return found!;
  }

  async countMetrics(orgId: number, chips: readonly Chip[]): Promise<number> {
    const found = await metricsCoveredBy(this.rows.manager, orgId, chips)
      .select('count(*)::integer', 'count')
      .getRawOne<{ count: number }>();
    return found!.count;
  }

  /** The worst ones. */
  incidents(orgId: number, chips: readonly Chip[], span: SummarySpan): Promise<SummaryIncident[]> {
    return this.anomalies(orgId, chips, span)
      .innerJoin('incident', 'i', 'i.id = l.incident_id')
      .select('i.id', 'id')
      .addSelect('i.title', 'title')
      .addSelect('i.start_timestamp', 'start')
      .addSelect('i.end_timestamp', 'end')
      .addSelect('i.severity', 'severity')
      .addSelect('i.metrics_count', 'metricsCount')
      .groupBy('i.id')
      .orderBy('i.severity', 'DESC')
      .addOrderBy('i.id')
      .limit(MAX_INCIDENTS)
      .getRawMany<SummaryIncident>();
  }

  async messages(
    orgId: number,
    watcherId: number,
    { from, until }: SummarySpan,
    tx: Tx,
  ): Promise<{ sent: number; suppressed: number }> {
    const rows: { sent: number; suppressed: number }[] = await tx.query(
      `SELECT count(*) FILTER (WHERE d.state = 'sent')::integer AS sent,
              count(*) FILTER (WHERE d.state = 'suppressed')::integer AS suppressed
       FROM alert a JOIN alert_delivery d ON d.alert_id = a.id
       WHERE a.org_id = $1 AND a.watcher_id = $2 AND a.kind IN ('anomaly', 'threshold') AND a.counts
         AND d.created_at >= to_timestamp($3) AND d.created_at < to_timestamp($4)`,
      [orgId, watcherId, from, until],
    );
    return rows[0]!;
  }

  private anomalies(orgId: number, chips: readonly Chip[], span: SummarySpan) {
    return metricsCoveredBy(this.rows.manager, orgId, chips)
      .innerJoin('anomaly', 'a', 'a.metric_id = s.metric_id')
      .leftJoin('incident_anomaly', 'l', 'l.anomaly_id = a.id')
      .andWhere(
        `a.org_id = :orgId AND a.start_timestamp >= :from AND a.start_timestamp < :until
         AND a.state NOT IN ('trained', 'excluded') AND NOT a.backfill`,
        { orgId, ...span },
      );
  }
}
