import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { sqlState } from '../connection.js';

const LOCK_NOT_AVAILABLE = '55P03';
const ATTEMPTS = 8;
const PAUSE_MS = 1000;

/**
 * Runs statements of the caller's transaction that need exclusive access to a partitioned table. A session that waits
 * for such a lock makes all readers wait behind it, so the attempt is soon given up and retried, while earlier work of
 * the transaction is kept.
 */
export async function replacePartition(client: pg.ClientBase, work: () => Promise<void>): Promise<void> {
  await client.query(`SET LOCAL lock_timeout = '1500ms'`);
  for (let attempt = 1; ; attempt++) {
    await client.query('SAVEPOINT replacing');
    try {
      await work();
      await client.query(`RELEASE SAVEPOINT replacing; SET LOCAL lock_timeout = 0`);
      return;
    } catch (error) {
      await client.query('ROLLBACK TO SAVEPOINT replacing');
      if (attempt >= ATTEMPTS || sqlState(error) !== LOCK_NOT_AVAILABLE) throw error;
      await delay(PAUSE_MS);
    }
  }
}
