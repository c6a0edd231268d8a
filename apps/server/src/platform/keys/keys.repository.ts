import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { DATABASE_LOCKS } from '#libs/database-locks';
import { awaitLockInTransaction } from '../../common/database/awaited-lock.js';
import { type Tx } from '../../common/database/transactions.js';
import {
  HASHED_THINGS,
  type HashedCount,
  type KnownKey,
  SEALED_COLUMNS,
  type SealedColumn,
  type SealedCount,
} from './keys.types.js';

/** A sealed copy in its row; the key of the row as text. */
export interface SealedRow {
  rowKey: string;
  sealed: string;
  boundTo: string;
}

export interface ResealedRow {
  rowKey: string;
  sealed: string;
  hash: Buffer | null;
}

/** The keys of the installation, and everything that is stored under them, of every organisation. */
@Injectable()
export class KeysRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Serialises the processes that check the keys. Locked until the transaction ends. */
  async lock(tx: Tx): Promise<void> {
    await awaitLockInTransaction(tx, DATABASE_LOCKS.secretKeys);
  }

  /** The keys that are still needed, newest first. */
  knownKeys(tx?: Tx): Promise<KnownKey[]> {
    return (tx ?? this.dataSource).query(
      `SELECT id, check_value AS "checkValue", extract(epoch FROM used_from)::float8 AS "usedFrom"
       FROM secret_key WHERE forgotten_at IS NULL ORDER BY used_from DESC, id`,
    );
  }

  /** Every organisation that is not deleted, oldest first. */
  async orgIds(tx: Tx): Promise<number[]> {
    const rows: { id: number }[] = await tx.query('SELECT id FROM org WHERE deleted_at IS NULL ORDER BY id');
    return rows.map(({ id }) => id);
  }

  async insertKey({ id, checkValue, usedFrom }: KnownKey, tx: Tx): Promise<void> {
    await tx.query(
      `INSERT INTO secret_key (id, check_value, used_from) VALUES ($1, $2, to_timestamp($3))
       ON CONFLICT (id) DO UPDATE SET check_value = excluded.check_value, used_from = excluded.used_from, forgotten_at = NULL`,
      [id, checkValue, usedFrom],
    );
  }

  /** Time in Unix seconds. */
  async forgetKeysBesides(id: string, at: number, tx: Tx): Promise<void> {
    await tx.query('UPDATE secret_key SET forgotten_at = to_timestamp($2) WHERE id <> $1 AND forgotten_at IS NULL', [
      id,
      at,
    ]);
  }

  async sealedCountsOfEveryOrg(): Promise<SealedCount[]> {
    const counts: SealedCount[] = [];
    for (const column of SEALED_COLUMNS) {
      const rows: { keyId: string; count: number }[] = await this.dataSource.query(
        `SELECT ${KEY_ID(column)} AS "keyId", count(*)::integer AS count FROM ${column.table}
         WHERE ${column.column} IS NOT NULL GROUP BY 1 ORDER BY 1`,
      );
      counts.push(...rows.map((row) => ({ column, ...row })));
    }
    return counts;
  }

  /**
   * Counts objects that were created before `since` and are valid at `now`, both in Unix seconds; kinds without any are
   * omitted.
   */
  async hashedCountsOfEveryOrg(since: number, now: number): Promise<HashedCount[]> {
    const counts: HashedCount[] = [];
    for (const { name, table, isAlive } of HASHED_THINGS) {
      const rows: { count: number }[] = await this.dataSource.query(
        `SELECT count(*)::integer AS count FROM ${table} WHERE created_at < to_timestamp($1) AND ${isAlive}`,
        [since, now],
      );
      if (rows[0]!.count > 0) counts.push({ name, count: rows[0]!.count });
    }
    return counts;
  }

  /**
   * Copies that need a key other than `keyId`, with their rows locked, ordered by primary key, after `after`. Rows that
   * another transaction has locked are skipped.
   */
  lockSealedOfEveryOrg(
    column: SealedColumn,
    keyId: string,
    after: string | null,
    limit: number,
    tx: Tx,
  ): Promise<SealedRow[]> {
    const { table, keyColumn, keyType, boundTo } = column;
    return tx.query(
      `SELECT ${keyColumn}::text AS "rowKey", ${column.column} AS sealed, ${boundTo} AS "boundTo" FROM ${table}
       WHERE ${column.column} IS NOT NULL AND ${KEY_ID(column)} <> $1
         AND ($2::text IS NULL OR ${keyColumn} > $2::text::${keyType})
       ORDER BY ${keyColumn} LIMIT $3 FOR UPDATE SKIP LOCKED`,
      [keyId, after, limit],
    );
  }

  async updateSealedOfEveryOrg(column: SealedColumn, rows: readonly ResealedRow[], tx: Tx): Promise<void> {
    const { table, keyColumn, keyType, hash } = column;
    await tx.query(
      `UPDATE ${table} AS t SET ${column.column} = u.sealed${hash ? `, ${hash.column} = u.hash` : ''}
       FROM unnest($1::text[], $2::text[], $3::bytea[]) AS u(row_key, sealed, hash)
       WHERE t.${keyColumn} = u.row_key::${keyType}`,
      [rows.map(({ rowKey }) => rowKey), rows.map(({ sealed }) => sealed), rows.map((row) => row.hash)],
    );
  }
}

/** SQL for the key that a copy needs; see `keyIdOf`. */
const KEY_ID = ({ column }: SealedColumn): string => `split_part(${column}, '.', 2)`;
