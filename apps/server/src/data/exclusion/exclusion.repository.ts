import { Injectable } from '@nestjs/common';
import { IsNull, type Repository } from 'typeorm';
import { InjectRepository } from '../../common/database/inject-repository.decorator.js';
import { type Chip } from '../chips/chips.js';
import { metricsCoveredBy } from '../chips/covered-metrics.repository.js';
import { type Tx } from '../../common/database/transactions.js';
import { ExclusionEntity } from './exclusion.entity.js';

/** Two values are equal if nothing was added, changed or deleted in between: ids and revisions only increase. */
export interface OrgFingerprint {
  orgId: number;
  fingerprint: string;
}

/** Stores definitions of exclusions, and counts the metrics that they cover. */
@Injectable()
export class ExclusionRepository {
  constructor(@InjectRepository(ExclusionEntity) private readonly rows: Repository<ExclusionEntity>) {}

  private in(tx?: Tx): Repository<ExclusionEntity> {
    return tx ? tx.getRepository(ExclusionEntity) : this.rows;
  }

  /** Without deleted ones, oldest first. */
  list(orgId: number, tx?: Tx): Promise<ExclusionEntity[]> {
    return this.in(tx).find({ where: { orgId, deletedAt: IsNull() }, order: { id: 'ASC' } });
  }

  /** Also returns a deleted one. */
  find(orgId: number, id: number, tx?: Tx): Promise<ExclusionEntity | null> {
    return this.in(tx).findOneBy({ orgId, id });
  }

  /** For every organisation that has exclusions. */
  fingerprints(): Promise<OrgFingerprint[]> {
    return this.rows
      .createQueryBuilder('e')
      .select('e.org_id', 'orgId')
      .addSelect(`count(*) || '/' || max(e.id) || '/' || sum(e.revision)`, 'fingerprint')
      .where('e.deleted_at IS NULL')
      .groupBy('e.org_id')
      .getRawMany();
  }

  /** Number of metrics that chips select, without removed ones. */
  async countMetrics(orgId: number, chips: readonly Chip[]): Promise<number> {
    const found = await metricsCoveredBy(this.rows.manager, orgId, chips)
      .select('count(*)::integer', 'count')
      .getRawOne<{ count: number }>();
    return found?.count ?? 0;
  }

  /** The same for several chip lists in one statement; counts are in the order of the lists. */
  async countMetricsOfEach(orgId: number, chipLists: readonly (readonly Chip[])[]): Promise<number[]> {
    if (chipLists.length === 0) return [];
    const { manager } = this.rows;
    const query = manager.createQueryBuilder().select([]).from('(SELECT 1)', 'one');
    for (const [index, chips] of chipLists.entries()) {
      const count = metricsCoveredBy(manager, orgId, chips, `list${String(index)}chip`).select('count(*)::integer');
      query.addSelect(`(${count.getQuery()})`, String(index)).setParameters(count.getParameters());
    }
    const counts = await query.getRawOne<Record<string, number>>();
    return chipLists.map((_, index) => counts?.[index] ?? 0);
  }
}
