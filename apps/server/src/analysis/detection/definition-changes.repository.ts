import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { type MetricType } from '#libs/contracts';

/** A metric whose definition has changed. */
export type DefinitionChange = { id: string; metricId: number } & (
  | { kind: 'type'; type: MetricType }
  | { kind: 'slots'; slotSeconds: number }
  /** Null: the defaults. */
  | { kind: 'terms'; termsId: number | null }
  /** The time zone of its organisation. */
  | { kind: 'zone' }
  | { kind: 'erased' }
);

/** Changes wait in a table that triggers on `metric` and `org` fill, in the transactions of the changes. */
@Injectable()
export class DefinitionChangesRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** The oldest ones. */
  waiting(limit: number): Promise<DefinitionChange[]> {
    return this.dataSource.query(
      `SELECT id, metric_id AS "metricId", kind, type, slot_seconds AS "slotSeconds", terms_id AS "termsId"
       FROM metric_definition_change ORDER BY id LIMIT $1`,
      [limit],
    );
  }

  async remove(ids: readonly string[]): Promise<void> {
    await this.dataSource.query('DELETE FROM metric_definition_change WHERE id = ANY($1::bigint[])', [ids]);
  }
}
