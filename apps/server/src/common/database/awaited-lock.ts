import { setTimeout as pause } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import type pg from 'pg';
import { type DatabaseLock } from '#libs/database-locks';
import { messageOf } from '../errors/message-of.js';
import { type Tx } from './transactions.js';

/** A longer wait is reported. */
const TIMEOUT_MS = 2000;
const RETRY_MS = 250;

interface Holder {
  pid: number;
  /** The name that the connection has set; null if the role may not see it. */
  name: string | null;
}

type Query = (sql: string, values: number[]) => Promise<Holder[]>;

/**
 * Waits for a lock with one key, without limit; the connection holds it until it ends. After two seconds, `log` gets a
 * line with the purpose of the lock and its holder. A blocked statement would have a snapshot, which
 * `CREATE INDEX CONCURRENTLY` of the holder waits for, so both would wait forever. Between two attempts there is none.
 */
export async function awaitLock(client: pg.Client, lock: DatabaseLock, log: (line: string) => void): Promise<void> {
  const reportAt = Date.now() + TIMEOUT_MS;
  let isReported = false;
  while (!(await tryLock(client, lock))) {
    if (!isReported && Date.now() >= reportAt) {
      isReported = true;
      log(await describeWait((sql, values) => client.query<Holder>(sql, values).then(({ rows }) => rows), lock));
    }
    await pause(RETRY_MS);
  }
}

async function tryLock(client: pg.Client, { number }: DatabaseLock): Promise<boolean> {
  const { rows } = await client.query<{ locked: boolean }>('SELECT pg_try_advisory_lock($1) AS locked', [number]);
  return rows[0]!.locked;
}

/**
 * Waits for a lock with two keys, the second 0, for as long as the lock_timeout of the connection allows; held until
 * the transaction ends. After two seconds, logs the purpose of the lock and its holder.
 */
export async function awaitLockInTransaction(tx: Tx, lock: DatabaseLock): Promise<void> {
  const logger = new Logger('DatabaseLocks');
  const report = () => {
    // The connection of the transaction waits, so another one queries the holder.
    describeWait((sql, values) => tx.dataSource.query(sql, values), lock, 0).then(
      (line) => logger.warn(line),
      (error: unknown) =>
        logger.warn(`Waiting for a lock (${lock.purpose}); its holder cannot be found: ${messageOf(error)}`),
    );
  };
  const timeout = setTimeout(report, TIMEOUT_MS);
  try {
    await tx.query('SELECT pg_advisory_xact_lock($1, 0)', [lock.number]);
  } finally {
    clearTimeout(timeout);
  }
}

/** A bigint key is shown by pg_locks as two halves, with 1 as the number of keys. */
const HOLDERS = `
  SELECT l.pid, nullif(a.application_name, '') AS name FROM pg_locks l LEFT JOIN pg_stat_activity a USING (pid)
  WHERE l.locktype = 'advisory' AND l.granted
    AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
    AND l.classid = $1 AND l.objid = $2 AND l.objsubid = $3
  ORDER BY l.pid`;

async function describeWait(query: Query, { number, purpose }: DatabaseLock, secondKey?: number): Promise<string> {
  const holders = await query(HOLDERS, secondKey === undefined ? [0, number, 1] : [number, secondKey, 2]);
  const names = holders.map(({ pid, name }) => `database process ${String(pid)}${name === null ? '' : ` "${name}"`}`);
  const holder = names.length > 0 ? `held by ${names.join(', ')}` : 'just released';
  return `Waiting for a lock that only one process may hold, for ${purpose}: ${holder}`;
}
