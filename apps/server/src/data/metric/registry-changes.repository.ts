import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { type Tx } from '../../common/database/transactions.js';
import { type MetricChange } from './metric-registry.types.js';

export interface WrittenChange extends MetricChange {
  /** A 64-bit number as text. */
  id: string;
}

@Injectable()
export class RegistryChangesRepository {
  constructor(private readonly dataSource: DataSource) {}

  async insert({ orgId, kind, metricIds, metricType }: MetricChange, tx?: Tx): Promise<string> {
    const rows: { id: string }[] = await (tx ?? this.dataSource).query(
      'INSERT INTO metric_change (org_id, kind, metric_ids, metric_type) VALUES ($1, $2, $3::integer[], $4) RETURNING id',
      [orgId, kind, metricIds, metricType],
    );
    return rows[0]!.id;
  }

  /** In the order in which they were created. */
  findSince(seconds: number): Promise<WrittenChange[]> {
    return this.dataSource.query(
      `SELECT id, org_id AS "orgId", kind, metric_ids AS "metricIds", metric_type AS "metricType"
       FROM metric_change
       WHERE changed_at > clock_timestamp() - make_interval(secs => $1) ORDER BY id`,
      [seconds],
    );
  }

  async deleteBefore(seconds: number): Promise<void> {
    await this.dataSource.query(
      'DELETE FROM metric_change WHERE changed_at < clock_timestamp() - make_interval(secs => $1)',
      [seconds],
    );
  }
}
