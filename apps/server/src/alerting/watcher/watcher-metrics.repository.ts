import { Injectable } from '@nestjs/common';
import { type Repository } from 'typeorm';
import { InjectRepository } from '../../common/database/inject-repository.decorator.js';
import { type Chip } from '../../data/chips/chips.js';
import { metricsCoveredBy } from '../../data/chips/covered-metrics.repository.js';
import { WatcherEntity } from './watcher.entity.js';

/** Maximum number of chip lists in one statement. */
const BATCH = 50;

/** The metrics that the chips of watchers select, without removed ones. */
@Injectable()
export class WatcherMetricsRepository {
  constructor(@InjectRepository(WatcherEntity) private readonly rows: Repository<WatcherEntity>) {}

  async count(orgId: number, chips: readonly Chip[]): Promise<number> {
    const found = await metricsCoveredBy(this.rows.manager, orgId, chips)
      .select('count(*)::integer', 'count')
      .getRawOne<{ count: number }>();
    return found?.count ?? 0;
  }

  /** In alphabetical order. */
  async names(orgId: number, chips: readonly Chip[], limit: number): Promise<string[]> {
    const found = await metricsCoveredBy(this.rows.manager, orgId, chips)
      .innerJoin('metric', 'm', 'm.id = s.metric_id')
      .select('m.name', 'name')
      .orderBy('m.name')
      .limit(limit)
      .getRawMany<{ name: string }>();
    return found.map(({ name }) => name);
  }

  /** Of some chip lists, by index, those that select a metric which the other chips select too. */
  async sharing(orgId: number, chips: readonly Chip[], lists: readonly (readonly Chip[])[]): Promise<Set<number>> {
    const found = new Set<number>();
    for (let first = 0; first < lists.length; first += BATCH) {
      const parts = lists.slice(first, first + BATCH).map((list, index) => {
        const prefix = `list${String(index)}Chip`;
        const query = metricsCoveredBy(this.rows.manager, orgId, [...chips, ...list], prefix).select('1');
        return { place: first + index, sql: query.getQuery(), parameters: query.getParameters() };
      });
      const query = this.rows.manager
        .createQueryBuilder()
        .select('asked.place', 'place')
        .from(
          `(${parts.map(({ place, sql }) => `SELECT ${String(place)} AS place WHERE EXISTS (${sql})`).join(' UNION ALL ')})`,
          'asked',
        )
        .setParameters(Object.assign({}, ...parts.map(({ parameters }) => parameters)) as object);
      for (const { place } of await query.getRawMany<{ place: number }>()) found.add(place);
    }
    return found;
  }
}
