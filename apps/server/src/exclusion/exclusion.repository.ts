import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, LessThan, type Repository, type SelectQueryBuilder } from 'typeorm';
import { type Chip } from '../common/chips/chips.js';
import { chipsToSearchSql } from '../common/chips/chips-search-sql.js';
import { type MatchTarget } from '../common/chips/chips-match.js';
import { type Tx } from '../common/database/transactions.js';
import { ExclusionEntity } from './exclusion.entity.js';

export type NewExclusion = Omit<ExclusionEntity, 'id' | 'createdAt' | 'deletedAt'>;

/** Two of them are equal when nothing was added or deleted in between: ids only rise. */
export interface OrgFingerprint {
  orgId: number;
  fingerprint: string;
}

export interface ExcludedMetric extends MatchTarget {
  id: number;
  /** Unix seconds. */
  excludedTimestamp: number;
}

/** The definitions, and the metrics that they cover: reads and marks rows of the metric tables with SQL of its own. */
@Injectable()
export class ExclusionRepository {
  constructor(@InjectRepository(ExclusionEntity) private readonly rows: Repository<ExclusionEntity>) {}

  private in(tx?: Tx): Repository<ExclusionEntity> {
    return tx ? tx.getRepository(ExclusionEntity) : this.rows;
  }

  /** Those that are not deleted, oldest first. */
  ofOrg(orgId: number, tx?: Tx): Promise<ExclusionEntity[]> {
    return this.in(tx).find({ where: { orgId, deletedAt: IsNull() }, order: { id: 'ASC' } });
  }

  /** Also a deleted one. */
  find(orgId: number, id: number): Promise<ExclusionEntity | null> {
    return this.rows.findOneBy({ orgId, id });
  }

  async insert(exclusion: NewExclusion, tx: Tx): Promise<number> {
    const { identifiers } = await this.in(tx).insert(exclusion);
    return (identifiers[0] as { id: number }).id;
  }

  /** Answers whether it was there to delete. */
  async markDeleted(orgId: number, id: number, at: Date, tx?: Tx): Promise<boolean> {
    const { affected } = await this.in(tx).update({ orgId, id, deletedAt: IsNull() }, { deletedAt: at });
    return affected === 1;
  }

  async dropDeletedBefore(moment: Date): Promise<void> {
    await this.rows.delete({ deletedAt: LessThan(moment) });
  }

  /** Of every organisation that has exclusions. */
  fingerprints(): Promise<OrgFingerprint[]> {
    return this.rows
      .createQueryBuilder('e')
      .select('e.org_id', 'orgId')
      .addSelect(`count(*) || '/' || max(e.id)`, 'fingerprint')
      .where('e.deleted_at IS NULL')
      .groupBy('e.org_id')
      .getRawMany();
  }

  /** Metrics that chips select; removed ones are left out. */
  async countMetrics(orgId: number, chips: readonly Chip[]): Promise<number> {
    const found = await this.covered(orgId, chips).select('count(*)::integer', 'count').getRawOne<{ count: number }>();
    return found?.count ?? 0;
  }

  /** Their names, in order. */
  async metricNames(orgId: number, chips: readonly Chip[], limit: number): Promise<string[]> {
    const rows = await this.covered(orgId, chips)
      .innerJoin('metric', 'm', 'm.id = s.metric_id')
      .select('m.name', 'name')
      .orderBy('left(s.name, 128)')
      .addOrderBy('s.name')
      .addOrderBy('s.metric_id')
      .limit(limit)
      .getRawMany<{ name: string }>();
    return rows.map(({ name }) => name);
  }

  /** Anomalies of such metrics that overlap the time since a moment, Unix seconds. */
  async countAnomalies(orgId: number, chips: readonly Chip[], since: number): Promise<number> {
    const found = await this.covered(orgId, chips)
      .innerJoin('anomaly', 'a', 'a.metric_id = s.metric_id AND a.org_id = :orgId')
      .andWhere(`(a.end_timestamp IS NULL OR a.end_timestamp >= :since)`, { since })
      .select('count(*)::integer', 'count')
      .getRawOne<{ count: number }>();
    return found?.count ?? 0;
  }

  /** Notes from when on the metrics are kept out; answers the ids of those that were not before. */
  async markExcluded(orgId: number, chips: readonly Chip[], at: Date): Promise<number[]> {
    const [covered, parameters] = this.covered(orgId, chips)
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

  /** Metrics that are marked as kept out. */
  excludedMetrics(orgId: number): Promise<ExcludedMetric[]> {
    return this.rows.manager.query(
      `SELECT m.id, m.name, m.labels, m.source, m.type, extract(epoch FROM s.excluded_at)::float8 AS "excludedTimestamp"
       FROM metric_search s JOIN metric m ON m.id = s.metric_id
       WHERE s.org_id = $1 AND s.excluded_at IS NOT NULL`,
      [orgId],
    );
  }

  /** Their series, which the exclusion had ended, are open again, too. */
  async unmarkExcluded(orgId: number, ids: readonly number[]): Promise<void> {
    await this.rows.manager.query(
      `WITH reopened AS (
         UPDATE metric SET has_ended = false WHERE org_id = $1 AND id = ANY($2::integer[]) AND has_ended
       )
       UPDATE metric_search SET excluded_at = NULL WHERE org_id = $1 AND metric_id = ANY($2::integer[])`,
      [orgId, ids],
    );
  }

  /** Organisations with metrics that are marked. */
  async orgsWithExcludedMetrics(): Promise<number[]> {
    const rows: { orgId: number }[] = await this.rows.manager.query(
      `SELECT DISTINCT org_id AS "orgId" FROM metric_search WHERE excluded_at IS NOT NULL`,
    );
    return rows.map(({ orgId }) => orgId);
  }

  private covered(orgId: number, chips: readonly Chip[]): SelectQueryBuilder<object> {
    const { where, parameters } = chipsToSearchSql(chips, 's');
    return this.rows.manager
      .createQueryBuilder()
      .from('metric_search', 's')
      .where(`s.org_id = :orgId AND s.state <> 'removed'`, { orgId })
      .andWhere(`(${where})`, parameters);
  }
}
