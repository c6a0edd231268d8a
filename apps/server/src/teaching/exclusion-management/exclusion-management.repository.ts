import { Injectable } from '@nestjs/common';
import { IsNull, LessThan, type Repository } from 'typeorm';
import { idFor } from '../../common/database/dry-run.js';
import { InjectRepository } from '../../common/database/inject-repository.decorator.js';
import { type Tx } from '../../common/database/transactions.js';
import { type MatchTarget } from '../../data/chips/chips-match.js';
import { type Chip } from '../../data/chips/chips.js';
import { metricsCoveredBy } from '../../data/chips/covered-metrics.repository.js';
import { ExclusionEntity } from '../../data/exclusion/exclusion.entity.js';

/** The fields of a definition. */
export type ExclusionFields = Omit<
  ExclusionEntity,
  'id' | 'orgId' | 'createdBy' | 'createdAt' | 'deletedAt' | 'revision'
>;
export type NewExclusion = ExclusionFields & Pick<ExclusionEntity, 'createdBy'>;

export interface ExcludedMetric extends MatchTarget {
  id: number;
  /** Unix seconds. */
  excludedTimestamp: number;
}

/** Writes definitions, and marks the metrics that they cover: rows of the metric tables, with separate SQL. */
@Injectable()
export class ExclusionManagementRepository {
  constructor(@InjectRepository(ExclusionEntity) private readonly rows: Repository<ExclusionEntity>) {}

  private in(tx?: Tx): Repository<ExclusionEntity> {
    return tx ? tx.getRepository(ExclusionEntity) : this.rows;
  }

  async insert(orgId: number, exclusion: NewExclusion, tx: Tx): Promise<number> {
    const { identifiers } = await this.in(tx).insert({ ...exclusion, orgId, ...idFor(tx) });
    return (identifiers[0] as { id: number }).id;
  }

  async update(orgId: number, id: number, fields: ExclusionFields, tx: Tx): Promise<void> {
    await this.in(tx).update({ orgId, id, deletedAt: IsNull() }, { ...fields, revision: () => 'revision + 1' });
  }

  /** True if it existed. */
  async markDeleted(orgId: number, id: number, at: Date, tx?: Tx): Promise<boolean> {
    const { affected } = await this.in(tx).update({ orgId, id, deletedAt: IsNull() }, { deletedAt: at });
    return affected === 1;
  }

  async dropDeletedBefore(moment: Date): Promise<void> {
    await this.rows.delete({ deletedAt: LessThan(moment) });
  }

  /** Names of the selected metrics, in order. */
  async metricNames(orgId: number, chips: readonly Chip[], limit: number): Promise<string[]> {
    const rows = await metricsCoveredBy(this.rows.manager, orgId, chips)
      .innerJoin('metric', 'm', 'm.id = s.metric_id')
      .select('m.name', 'name')
      .orderBy('left(s.name, 128)')
      .addOrderBy('s.name')
      .addOrderBy('s.metric_id')
      .limit(limit)
      .getRawMany<{ name: string }>();
    return rows.map(({ name }) => name);
  }

  /** Number of anomalies of the selected metrics that overlap the time since a moment, Unix seconds. */
  async countAnomalies(orgId: number, chips: readonly Chip[], since: number): Promise<number> {
    const found = await metricsCoveredBy(this.rows.manager, orgId, chips)
      .innerJoin('anomaly', 'a', 'a.metric_id = s.metric_id AND a.org_id = :orgId')
      .andWhere(`(a.end_timestamp IS NULL OR a.end_timestamp >= :since)`, { since })
      .select('count(*)::integer', 'count')
      .getRawOne<{ count: number }>();
    return found?.count ?? 0;
  }

  async coveredMetricIds(orgId: number, chips: readonly Chip[]): Promise<number[]> {
    const rows = await metricsCoveredBy(this.rows.manager, orgId, chips)
      .select('s.metric_id', 'id')
      .getRawMany<{ id: number }>();
    return rows.map(({ id }) => id);
  }

  /** Marks the selected metrics as excluded from a time on; returns the ids of those that were not excluded before. */
  async markExcluded(orgId: number, chips: readonly Chip[], at: Date): Promise<number[]> {
    const [covered, parameters] = metricsCoveredBy(this.rows.manager, orgId, chips)
      .andWhere('s.excluded_at IS NULL')
      .select('s.metric_id')
      .getQueryAndParameters();
    const [rows]: [{ id: number }[], number] = await this.rows.manager.query(
      `UPDATE metric_search SET excluded_at = $${String(parameters.length + 1)} WHERE metric_id IN (${covered})
       RETURNING metric_id AS id`,
      [...(parameters as unknown[]), at],
    );
    return rows.map(({ id }) => id);
  }

  /** Metrics that are marked as excluded. */
  excludedMetrics(orgId: number): Promise<ExcludedMetric[]> {
    return this.rows.manager.query(
      `SELECT m.id, m.name, m.labels, m.source, m.type, extract(epoch FROM s.excluded_at)::float8 AS "excludedTimestamp"
       FROM metric_search s JOIN metric m ON m.id = s.metric_id
       WHERE s.org_id = $1 AND s.excluded_at IS NOT NULL`,
      [orgId],
    );
  }

  /** Also reopens their series, which the exclusion had ended. */
  async unmarkExcluded(orgId: number, ids: readonly number[]): Promise<void> {
    await this.rows.manager.query(
      `WITH reopened AS (
         UPDATE metric SET has_ended = false WHERE org_id = $1 AND id = ANY($2::integer[]) AND has_ended
       )
       UPDATE metric_search SET excluded_at = NULL WHERE org_id = $1 AND metric_id = ANY($2::integer[])`,
      [orgId, ids],
    );
  }

  /** Organisations with metrics that are marked as excluded. */
  async orgsWithExcludedMetrics(): Promise<number[]> {
    const rows: { orgId: number }[] = await this.rows.manager.query(
      `SELECT DISTINCT org_id AS "orgId" FROM metric_search WHERE excluded_at IS NOT NULL`,
    );
    return rows.map(({ orgId }) => orgId);
  }
}
