import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { type Tx } from '../../common/database/transactions.js';

/** A table whose rows belong to organisations. Both names are quoted for SQL. */
export interface OwnedTable {
  name: string;
  column: string;
}

/** Deleted with the row of the organisation: rows of these tables cannot be deleted earlier. */
const GO_WITH_ORG = ['audit_entry'];

/** The remaining data of deleted organisations, for the work that erases it. */
@Injectable()
export class OrgErasureRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Ids of organisations that are to be deleted automatically by now. */
  listOrgsToDelete(at: Date): Promise<number[]> {
    return this.ids('SELECT id FROM org WHERE wipe_at <= $1 AND deleted_at IS NULL ORDER BY id', [at]);
  }

  /** Ids of organisations that were deleted before `at` and are not completely erased. */
  deletedBefore(at: Date): Promise<number[]> {
    return this.ids('SELECT id FROM org WHERE deleted_at <= $1 ORDER BY id', [at]);
  }

  /**
   * Deletes some metrics of an organisation and all data of these metrics, and schedules the erasure of their points.
   * Returns the number of metrics.
   */
  async takeMetrics(orgId: number, at: Date, limit: number, tx: Tx): Promise<number> {
    const rows: unknown[] = await tx.query(
      `WITH gone AS (
         DELETE FROM metric WHERE id IN (SELECT id FROM metric WHERE org_id = $1 ORDER BY id LIMIT $3 FOR UPDATE)
         RETURNING id)
       INSERT INTO leaving_series (metric_id, erase_at, is_last) SELECT id, $2, false FROM gone
       ON CONFLICT (metric_id) DO UPDATE SET erase_at = EXCLUDED.erase_at, is_last = false
       RETURNING metric_id`,
      [orgId, at, limit],
    );
    return rows.length;
  }

  /** Series whose points are to be erased by now, oldest first. */
  listSeriesToErase(at: Date, limit: number): Promise<{ metricId: number; isLast: boolean }[]> {
    return this.dataSource.query(
      `SELECT metric_id AS "metricId", is_last AS "isLast" FROM leaving_series WHERE erase_at <= $1
        ORDER BY erase_at, metric_id LIMIT $2`,
      [at, limit],
    );
  }

  /** Marks series as erased: those of the second pass are done, the others are scheduled for it. */
  async noteErased(metricIds: readonly number[], againAt: Date): Promise<void> {
    await this.dataSource.query('DELETE FROM leaving_series WHERE metric_id = ANY($1) AND is_last', [metricIds]);
    await this.dataSource.query(
      'UPDATE leaving_series SET erase_at = $2, is_last = true WHERE metric_id = ANY($1) AND NOT is_last',
      [metricIds, againAt],
    );
  }

  /** All tables with a cascading foreign key to `org`, from the catalogue of the database, except GO_WITH_ORG. */
  ownedTables(): Promise<OwnedTable[]> {
    return this.dataSource.query(
      `SELECT fk.conrelid::regclass::text AS name, quote_ident(a.attname) AS column
         FROM pg_constraint fk JOIN pg_attribute a ON a.attrelid = fk.conrelid AND a.attnum = fk.conkey[1]
        WHERE fk.contype = 'f' AND fk.confrelid = 'org'::regclass AND fk.confdeltype = 'c' AND fk.conparentid = 0
          AND cardinality(fk.conkey) = 1 AND fk.conrelid::regclass::text <> ALL($1)
        ORDER BY 1`,
      [GO_WITH_ORG],
    );
  }

  /** Deletes up to `limit` rows of an organisation. Returns the number of deleted rows. */
  async deleteRows(orgId: number, { name, column }: OwnedTable, limit: number): Promise<number> {
    const [, count] = await this.dataSource.query<[unknown[], number]>(
      `DELETE FROM ${name} WHERE (tableoid, ctid) IN (
         SELECT tableoid, ctid FROM ${name} WHERE ${column} = $1 LIMIT $2)`,
      [orgId, limit],
    );
    return count;
  }

  /** Deletes the row itself, and rows that were added for it in the meantime. Only for a deleted organisation. */
  async deleteOrg(orgId: number): Promise<void> {
    await this.dataSource.query('DELETE FROM org WHERE id = $1 AND deleted_at IS NOT NULL', [orgId]);
  }

  private async ids(sql: string, parameters: unknown[]): Promise<number[]> {
    const rows: { id: number }[] = await this.dataSource.query(sql, parameters);
    return rows.map(({ id }) => id);
  }
}
