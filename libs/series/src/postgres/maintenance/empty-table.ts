import type pg from 'pg';
import { sqlState } from '../connection.js';

const LOCK_NOT_AVAILABLE = '55P03';

/**
 * Removes all rows of a table that is no longer needed. Truncating frees the space immediately, but waits for every
 * session that uses the table, for example a backup: in that case the rows are deleted one by one.
 */
export async function emptyTable(client: pg.ClientBase, table: string): Promise<void> {
  const { rows } = await client.query<{ used: boolean }>(`SELECT EXISTS (SELECT FROM ${table}) AS used`);
  if (!rows[0]!.used) return;
  try {
    await client.query(`BEGIN; SET LOCAL lock_timeout = '1s'; TRUNCATE ${table}; COMMIT`);
  } catch (error) {
    await client.query('ROLLBACK');
    if (sqlState(error) !== LOCK_NOT_AVAILABLE) throw error;
    await client.query(`DELETE FROM ${table}`);
  }
}
