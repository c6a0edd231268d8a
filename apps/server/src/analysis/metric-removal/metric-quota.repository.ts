import { Injectable } from '@nestjs/common';
import { type Repository, type SelectQueryBuilder } from 'typeorm';
import { InjectRepository } from '../../common/database/inject-repository.decorator.js';
import { type Chip } from '../../data/chips/chips.js';
import { chipsToSearchSql } from '../../data/chips/chips-search-sql.js';
import { countsAgainstQuotaSql } from '../../data/chips/metric-state-sql.js';
import { type Page } from '../../common/paging/paging.js';
import { MetricSearchEntity } from '../../data/metric/metric.entity.js';

export interface QuotaMetric {
  id: number;
  name: string;
  /** Excluded metrics stop counting after a day. */
  counts: boolean;
}

/** Which metrics count against the quota. `now` in Unix seconds. */
@Injectable()
export class MetricQuotaRepository {
  constructor(@InjectRepository(MetricSearchEntity) private readonly rows: Repository<MetricSearchEntity>) {}

  async countUsed(orgId: number, chips: readonly Chip[], now: number): Promise<number> {
    const found = await this.counting(orgId, chips, now)
      .select('count(*)::integer', 'count')
      .getRawOne<{ count: number }>();
    return found?.count ?? 0;
  }

  /** Names, in order. */
  async listNames(orgId: number, chips: readonly Chip[], page: Page, now: number): Promise<string[]> {
    const query = byName(this.counting(orgId, chips, now).innerJoin('metric', 'm', 'm.id = s.metric_id'))
      .select('m.name', 'name')
      .limit(page.limit)
      .offset(page.offset);
    return (await query.getRawMany<{ name: string }>()).map(({ name }) => name);
  }

  /** All that are not removed, ordered by name. */
  listPresent(orgId: number, chips: readonly Chip[], now: number): Promise<QuotaMetric[]> {
    return byName(this.selected(orgId, chips).innerJoin('metric', 'm', 'm.id = s.metric_id'))
      .andWhere(`s.state <> 'removed'`)
      .select('m.id', 'id')
      .addSelect('m.name', 'name')
      .addSelect(countsAgainstQuotaSql('s', ':now'), 'counts')
      .setParameter('now', now)
      .getRawMany<QuotaMetric>();
  }

  private counting(orgId: number, chips: readonly Chip[], now: number): SelectQueryBuilder<MetricSearchEntity> {
    return this.selected(orgId, chips).andWhere(countsAgainstQuotaSql('s', ':now')).setParameter('now', now);
  }

  private selected(orgId: number, chips: readonly Chip[]): SelectQueryBuilder<MetricSearchEntity> {
    const { where, parameters } = chipsToSearchSql(chips, 's');
    return this.rows.createQueryBuilder('s').where('s.org_id = :orgId', { orgId }).andWhere(`(${where})`, parameters);
  }
}

/** The index covers the first part. */
function byName(query: SelectQueryBuilder<MetricSearchEntity>): SelectQueryBuilder<MetricSearchEntity> {
  return query.orderBy('left(s.name, 128)').addOrderBy('s.name').addOrderBy('s.metric_id');
}
