import { Injectable } from '@nestjs/common';
import { type Repository } from 'typeorm';
import { type EventLevel, type EventType } from '#libs/contracts';
import { InjectRepository } from '../../common/database/inject-repository.decorator.js';
import { type Page } from '../../common/paging/paging.js';
import { type Window } from '../../common/window/window.js';
import { OrgEventEntity } from '../../platform/event/org-event.entity.js';

export interface EventFilter extends Window {
  /** Empty = all. */
  types: readonly EventType[];
  levels: readonly EventLevel[];
  metricId?: number;
}

/** Times in Unix seconds. */
export interface EventRow {
  id: number;
  timestamp: number;
  type: EventType;
  level: EventLevel;
  title: string;
  text: string;
  userId: number | null;
  metricId: number | null;
  metric: string | null;
  anomalyId: number | null;
  watcherId: number | null;
  refKind: string | null;
  refId: string | null;
  details: Record<string, unknown>;
}

const COLUMNS: Readonly<Record<keyof EventRow, string>> = {
  id: 'e.id::float8',
  timestamp: 'floor(extract(epoch FROM e.happened_at))::float8',
  type: 'e.type',
  level: 'e.level',
  title: 'e.title',
  text: 'e.text',
  userId: 'e.user_id',
  metricId: 'e.metric_id',
  metric: 'e.metric',
  anomalyId: 'e.anomaly_id',
  watcherId: 'e.watcher_id',
  refKind: 'e.ref_kind',
  refId: 'e.ref_id',
  details: 'e.details',
};

/** Reads events. */
@Injectable()
export class EventListRepository {
  constructor(@InjectRepository(OrgEventEntity) private readonly rows: Repository<OrgEventEntity>) {}

  /** Newest first. */
  async findPage(
    orgId: number,
    filter: EventFilter,
    { limit, offset }: Page,
  ): Promise<{ events: EventRow[]; total: number }> {
    const { from, until, types, levels, metricId } = filter;
    const query = this.rows
      .createQueryBuilder('e')
      .where('e.org_id = :orgId', { orgId })
      // Includes events within the last second of the window.
      .andWhere('e.happened_at >= to_timestamp(:from) AND e.happened_at < to_timestamp(:end)', {
        from,
        end: until + 1,
      });
    if (types.length > 0) query.andWhere('e.type = ANY(:types)', { types });
    if (levels.length > 0) query.andWhere('e.level = ANY(:levels)', { levels });
    if (metricId !== undefined) query.andWhere('e.metric_id = :metricId', { metricId });
    const counted = query.clone().select('count(*)::integer', 'total').getRawOne<{ total: number }>();
    query.select([]);
    for (const [name, column] of Object.entries(COLUMNS)) query.addSelect(column, name);
    query.orderBy('e.happened_at', 'DESC').addOrderBy('e.id', 'DESC').limit(limit).offset(offset);
    const [total, events] = await Promise.all([counted, query.getRawMany<EventRow>()]);
    return { events, total: total?.total ?? 0 };
  }
}
