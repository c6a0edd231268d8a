import { Injectable } from '@nestjs/common';
import { type Repository, type SelectQueryBuilder } from 'typeorm';
import { InjectRepository } from '../../common/database/inject-repository.decorator.js';
import { type Page } from '../../common/paging/paging.js';
import { MAX_ROW_ID } from '../../common/validation/param-kind.js';
import { type Window } from '../../common/window/window.js';
import { type Chip } from '../../data/chips/chips.js';
import { chipsToSql } from '../../data/chips/chips-sql.js';
import { OUT_UNTIL_SQL } from '../../data/metric/anomaly-end.functions.js';
import { IncidentEntity } from './incident.entity.js';
import { type IncidentState, MAX_NAMED_ANOMALIES } from './incident.types.js';

export interface IncidentFilter {
  window?: Window;
  states?: readonly IncidentState[];
  chips?: readonly Chip[];
  severityMin?: number;
}

export type IncidentOrder = 'newest' | 'severity';

/** The current state of the anomalies of an incident. */
export interface IncidentAnomalies {
  ids: number[];
  /** The last user who acknowledged, if all that need it are acknowledged. */
  acknowledgedBy: number | null;
  /** Unix seconds. */
  acknowledgedAt: number | null;
  /** End of the last anomalous slot, Unix seconds; null while the values of a metric are anomalous. */
  outUntil: number | null;
}

/** Reads incidents. */
@Injectable()
export class IncidentRepository {
  constructor(@InjectRepository(IncidentEntity) private readonly rows: Repository<IncidentEntity>) {}

  async find(orgId: number, id: number): Promise<IncidentEntity | null> {
    return id > MAX_ROW_ID ? null : this.rows.findOneBy({ orgId, id });
  }

  /** Existing incidents, ordered by id. */
  findMany(orgId: number, ids: readonly number[]): Promise<IncidentEntity[]> {
    return this.rows
      .createQueryBuilder('i')
      .where('i.orgId = :orgId AND i.id = ANY(:ids)', { orgId, ids })
      .orderBy('i.id')
      .getMany();
  }

  /** `now` defines the state of a metric for chips. */
  async list(
    orgId: number,
    filter: IncidentFilter,
    { limit, offset, order }: Page & { order: IncidentOrder },
    now: number,
  ): Promise<{ rows: IncidentEntity[]; total: number }> {
    const query = this.filtered(orgId, filter, now);
    const total = await query.getCount();
    if (order === 'severity') query.orderBy('i.severity', 'DESC').addOrderBy('i.startTimestamp', 'DESC');
    else query.orderBy('i.startTimestamp', 'DESC');
    const rows = await query.addOrderBy('i.id', 'DESC').limit(limit).offset(offset).getMany();
    return { rows, total };
  }

  async counts(orgId: number, now: number, seconds: number): Promise<{ open: number; lately: number }> {
    const rows: { open: number; lately: number }[] = await this.rows.query(
      `SELECT count(*) FILTER (WHERE state = 'open')::integer AS open,
              count(*) FILTER (WHERE coalesce(end_timestamp, 'Infinity') >= $2::float8 - $3)::integer AS lately
       FROM incident WHERE org_id = $1 AND anomalies_count > 0 AND start_timestamp <= $2::float8`,
      [orgId, now, seconds],
    );
    return rows[0]!;
  }

  /** By incident. */
  async anomaliesOf(orgId: number, incidentIds: readonly number[]): Promise<ReadonlyMap<number, IncidentAnomalies>> {
    const rows: (IncidentAnomalies & { incidentId: number })[] = await this.rows.query(
      `SELECT l.incident_id AS "incidentId",
              (array_agg(a.id ORDER BY a.start_timestamp, a.id))[1:${String(MAX_NAMED_ANOMALIES)}] AS ids,
              CASE WHEN o.acknowledged THEN (array_agg(a.acknowledged_by ORDER BY a.acknowledged_at DESC NULLS LAST))[1]
                END AS "acknowledgedBy",
              CASE WHEN o.acknowledged THEN extract(epoch FROM max(a.acknowledged_at))::float8 END AS "acknowledgedAt",
              CASE WHEN bool_and(u.out_until IS NOT NULL) THEN max(u.out_until) END AS "outUntil"
       FROM incident_anomaly l JOIN anomaly a ON a.id = l.anomaly_id
       JOIN LATERAL (SELECT ${OUT_UNTIL_SQL} AS out_until) AS u ON true
       JOIN LATERAL (
         SELECT bool_and(oa.acknowledged_at IS NOT NULL OR (oa.state <> 'open' AND i.state = 'open')) AS acknowledged
         FROM incident_anomaly ol JOIN anomaly oa ON oa.id = ol.anomaly_id JOIN incident i ON i.id = ol.incident_id
         WHERE ol.incident_id = l.incident_id
       ) AS o ON true
       WHERE l.org_id = $1 AND l.incident_id = ANY($2::integer[])
       GROUP BY l.incident_id, o.acknowledged`,
      [orgId, incidentIds],
    );
    return new Map(rows.map(({ incidentId, ...row }) => [incidentId, row]));
  }

  /** Other open anomalies of the incident of an anomaly that are acknowledged, or not. */
  async openCompanions(
    orgId: number,
    anomalyId: number,
    { acknowledged }: { acknowledged: boolean },
  ): Promise<number[]> {
    const rows: { id: number }[] = await this.rows.query(
      `SELECT a.id FROM incident_anomaly mine JOIN incident_anomaly l ON l.incident_id = mine.incident_id
         JOIN anomaly a ON a.id = l.anomaly_id
        WHERE mine.org_id = $1 AND mine.anomaly_id = $2 AND a.org_id = $1 AND a.id <> $2 AND a.state = 'open'
          AND (a.acknowledged_at IS NOT NULL) = $3 ORDER BY a.id`,
      [orgId, anomalyId, acknowledged],
    );
    return rows.map(({ id }) => id);
  }

  private filtered(orgId: number, filter: IncidentFilter, now: number): SelectQueryBuilder<IncidentEntity> {
    const { window, states, chips, severityMin } = filter;
    const query = this.rows
      .createQueryBuilder('i')
      .where('i.orgId = :orgId', { orgId })
      .andWhere('i.anomaliesCount > 0');
    if (window) {
      query.andWhere('i.startTimestamp <= :until AND (i.endTimestamp IS NULL OR i.endTimestamp >= :from)', window);
    }
    if (states) query.andWhere('i.state = ANY(:states)', { states });
    if (severityMin !== undefined) query.andWhere('i.severity >= :severityMin', { severityMin });
    if (chips) {
      const { where, parameters } = chipsToSql(chips, 'm', now);
      query.andWhere(
        `EXISTS (SELECT FROM incident_anomaly l JOIN anomaly a ON a.id = l.anomaly_id JOIN metric m ON m.id = a.metric_id
                 WHERE l.incident_id = i.id AND (${where}))`,
        parameters,
      );
    }
    return query;
  }
}
