import { Injectable } from '@nestjs/common';
import { type Repository } from 'typeorm';
import { InjectRepository } from '../../common/database/inject-repository.decorator.js';
import { WatcherEntity } from './watcher.entity.js';

/** The alerts of a watcher in numbers. */
export interface WatcherAlertFacts {
  last7Days: number;
  /** Unix seconds; null: never. */
  lastTimestamp: number | null;
}

/** The alerts of watchers, in the tables of the area `alert`. */
@Injectable()
export class WatcherAlertsRepository {
  constructor(@InjectRepository(WatcherEntity) private readonly rows: Repository<WatcherEntity>) {}

  /** Alerts with a sent opening, by watcher; watchers without any are omitted. `now` in Unix seconds. */
  async facts(orgId: number, watcherIds: readonly number[], now: number): Promise<Map<number, WatcherAlertFacts>> {
    if (watcherIds.length === 0) return new Map();
    const rows = await this.rows.query<({ id: number } & WatcherAlertFacts)[]>(
      `SELECT a.watcher_id AS id, extract(epoch FROM max(d.sent_at))::integer AS "lastTimestamp",
              count(*) FILTER (WHERE d.sent_at > to_timestamp($3) - interval '7 days')::integer AS "last7Days"
       FROM alert a
       CROSS JOIN LATERAL (
         SELECT min(settled_at) AS sent_at FROM alert_delivery
         WHERE alert_id = a.id AND phase = 'opened' AND state = 'sent') AS d
       WHERE a.org_id = $1 AND a.watcher_id = ANY($2::integer[]) AND a.kind IN ('anomaly', 'threshold')
         AND a.counts AND d.sent_at IS NOT NULL
       GROUP BY a.watcher_id`,
      [orgId, watcherIds, now],
    );
    return new Map(rows.map(({ id, last7Days, lastTimestamp }) => [id, { last7Days, lastTimestamp }]));
  }
}
