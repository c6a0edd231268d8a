import { type EntityManager, type SelectQueryBuilder } from 'typeorm';
import { chipsToSearchSql } from './chips-search-sql.js';
import { type Chip } from './chips.js';

/**
 * A query over `metric_search AS s` for the metrics that chips select, without removed ones.
 * @param prefix of the parameter names; queries within one statement need different prefixes
 */
export function metricsCoveredBy(
  manager: EntityManager,
  orgId: number,
  chips: readonly Chip[],
  prefix?: string,
): SelectQueryBuilder<object> {
  return everCoveredBy(manager, orgId, chips, prefix).andWhere(`s.state <> 'removed'`);
}

/** The same including removed metrics, which are restored when points arrive again. */
export function everCoveredBy(
  manager: EntityManager,
  orgId: number,
  chips: readonly Chip[],
  prefix?: string,
): SelectQueryBuilder<object> {
  const { where, parameters } = chipsToSearchSql(chips, 's', prefix);
  return manager
    .createQueryBuilder()
    .from('metric_search', 's')
    .where('s.org_id = :orgId', { orgId })
    .andWhere(`(${where})`, parameters);
}
