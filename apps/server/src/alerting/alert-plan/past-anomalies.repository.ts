import { Injectable } from '@nestjs/common';
import { type PastMember } from '#libs/alerting';
import { type AnomalyKind } from '#libs/contracts';
import { InjectRepository } from '../../common/database/inject-repository.decorator.js';
import { type Repository } from 'typeorm';
import { type Chip } from '../../data/chips/chips.js';
import { metricsCoveredBy } from '../../data/chips/covered-metrics.repository.js';
import { ENDED_SQL, OUT_UNTIL_SQL } from '../../data/metric/anomaly-end.functions.js';
import { AlertPlanEntity } from './alert-plan.entity.js';
import { directionOf } from './direction.js';

/** An anomaly or a breach of the past with the data that is shown. */
export interface PastEvent extends PastMember {
  /** Null for a threshold. */
  anomalyId: number | null;
  metric: string;
  labels: Record<string, string>;
  value: number | null;
  /** Of a threshold: the limit that the value has crossed. */
  limit?: number;
  /** Found in imported history: no message was sent about it. */
  isImported: boolean;
}

interface PastRow {
  id: number;
  incidentId: number | null;
  metricId: number;
  kind: AnomalyKind;
  severity: number;
  start: number;
  end: number | null;
  outUntil: number | null;
  isQuiet: boolean;
  isImported: boolean;
  acknowledgedAt: number | null;
  value: number | null;
  peakValue: number | null;
  lower: number | null;
  upper: number | null;
}

/** Reads the past events that a watcher would have decided on. Times in Unix seconds. */
@Injectable()
export class PastAnomaliesRepository {
  constructor(@InjectRepository(AlertPlanEntity) private readonly rows: Repository<AlertPlanEntity>) {}

  async countMetrics(orgId: number, chips: readonly Chip[]): Promise<number> {
    const found = await metricsCoveredBy(this.rows.manager, orgId, chips)
      .select('count(*)::integer', 'count')
      .getRawOne<{ count: number }>();
    return found?.count ?? 0;
  }

  /** Ids and names of metrics, by id. */
  async metrics(orgId: number, chips: readonly Chip[], limit: number): Promise<{ id: number; name: string }[]> {
    return metricsCoveredBy(this.rows.manager, orgId, chips)
      .innerJoin('metric', 'm', 'm.id = s.metric_id')
      .select('m.id', 'id')
      .addSelect('m.name', 'name')
      .orderBy('m.id')
      .limit(limit)
      .getRawMany<{ id: number; name: string }>();
  }

  /**
   * Anomalies that started in a period, oldest first: the newest ones if there are too many. Trained ones are excluded.
   */
  async anomalies(
    orgId: number,
    chips: readonly Chip[],
    { from, until }: { from: number; until: number },
    limit: number,
  ): Promise<PastEvent[]> {
    const found = await metricsCoveredBy(this.rows.manager, orgId, chips)
      .innerJoin('metric', 'm', 'm.id = s.metric_id')
      .innerJoin('anomaly', 'a', 'a.metric_id = s.metric_id')
      .leftJoin('incident_anomaly', 'l', 'l.anomaly_id = a.id')
      .andWhere('a.org_id = :orgId AND a.start_timestamp >= :from AND a.start_timestamp <= :until', {
        orgId,
        from,
        until,
      })
      .andWhere(`a.state NOT IN ('trained', 'excluded')`)
      .select('a.id', 'id')
      .addSelect('l.incident_id', 'incidentId')
      .addSelect('a.metric_id', 'metricId')
      .addSelect('a.kind', 'kind')
      .addSelect('a.severity', 'severity')
      .addSelect('a.start_timestamp', 'start')
      .addSelect(ENDED_SQL, 'end')
      .addSelect(OUT_UNTIL_SQL, 'outUntil')
      // Anomalies in imported history did not alert, but show what would alert: a new organisation has no others.
      .addSelect('a.quiet', 'isQuiet')
      .addSelect('a.backfill', 'isImported')
      .addSelect('extract(epoch FROM a.acknowledged_at)::float8', 'acknowledgedAt')
      .addSelect('a.value', 'value')
      .addSelect('a.peak_value', 'peakValue')
      .addSelect('a.lower', 'lower')
      .addSelect('a.upper', 'upper')
      .addSelect('m.name', 'metric')
      .addSelect('m.labels', 'labels')
      .orderBy('a.start_timestamp', 'DESC')
      .addOrderBy('a.id', 'DESC')
      .limit(limit)
      .getRawMany<PastRow & { metric: string; labels: Record<string, string> }>();
    return found.reverse().map((row) => ({
      id: row.id,
      anomalyId: row.id,
      // Negative numbers belong to no incident.
      subjectId: row.incidentId ?? -row.id,
      metricId: row.metricId,
      metric: row.metric,
      labels: row.labels,
      kind: row.kind,
      severity: row.severity,
      direction: directionOf(row),
      start: row.start,
      end: row.end,
      outUntil: row.outUntil,
      isQuiet: row.isQuiet,
      isImported: row.isImported,
      acknowledgedAt: row.acknowledgedAt,
      value: row.value,
    }));
  }
}
