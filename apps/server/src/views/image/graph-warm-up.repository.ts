import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

export interface SomeMetric {
  id: number;
  orgId: number;
  /** IANA name. */
  timezone: string;
}

/** Finds a metric that can be drawn. */
@Injectable()
export class GraphWarmUpRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Any metric of the installation that has data; null if there is none. */
  async anyMetric(): Promise<SomeMetric | null> {
    const rows: SomeMetric[] = await this.dataSource.query(
      `SELECT m.id, m.org_id AS "orgId", o.timezone FROM metric m JOIN org o ON o.id = m.org_id
       WHERE m.ready_range AND m.removed_at IS NULL AND o.deleted_at IS NULL LIMIT 1`,
    );
    return rows[0] ?? null;
  }
}
