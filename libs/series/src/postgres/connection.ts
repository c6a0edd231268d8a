import pg from 'pg';
import { clientThatWaits, lastingConnection } from '#libs/database-connections';
import { DATABASE_LOCKS } from '#libs/database-locks';

const WRITE_GUARD = DATABASE_LOCKS.seriesWrite.number;
const MAINTENANCE_LOCK = DATABASE_LOCKS.seriesMaintenance.number;
const ROLLUP_LOCK = DATABASE_LOCKS.seriesRollups.number;

/**
 * Opens a transaction that adds to the open table of recent points, and returns its part number. The table stays open
 * until the transaction ends: closing it waits (`BEGIN_CLOSING`), so that nothing is added to a closed table. The lock
 * is a separate statement, so that the part is read after it.
 */
export const BEGIN_WRITING = `
  BEGIN; SET LOCAL synchronous_commit = on; SELECT pg_advisory_xact_lock_shared(${String(WRITE_GUARD)});
  SELECT recent_part AS part FROM series_state`;

/** Opens a transaction that excludes all writers. */
export const BEGIN_CLOSING = `
  BEGIN; SET LOCAL lock_timeout = '10s'; SELECT pg_advisory_xact_lock(${String(WRITE_GUARD)})`;

/** Only one transaction at a time writes roll-ups. */
export const LOCK_ROLLUPS = `SELECT pg_advisory_xact_lock(${String(ROLLUP_LOCK)})`;

/** Opens a transaction that writes roll-ups of points, and excludes writers of points. */
export const BEGIN_DROPPING = `
  BEGIN; SET LOCAL lock_timeout = '50s'; SET LOCAL synchronous_commit = on; ${LOCK_ROLLUPS};
  SELECT pg_advisory_xact_lock(${String(WRITE_GUARD)})`;

/** Folding, compaction and retention are done by one connection at a time. */
export const LOCK_MAINTENANCE = `SELECT pg_advisory_lock(${String(MAINTENANCE_LOCK)})`;
export const UNLOCK_MAINTENANCE = `SELECT pg_advisory_unlock(${String(MAINTENANCE_LOCK)})`;

export function createPool(connectionString: string, maxConnections: number): pg.Pool {
  const pool = new pg.Pool({
    ...lastingConnection(connectionString),
    application_name: 'plumbline series store',
    max: maxConnections,
    connectionTimeoutMillis: 5000,
    statement_timeout: 60_000,
    Client: clientThatWaits(90_000),
    idle_in_transaction_session_timeout: 30_000,
  });
  // A connection that breaks while idle is replaced at the next use; without a listener it would end the process.
  pool.on('error', () => undefined);
  // The pool does not listen while a connection is in use; if one breaks between two statements, the next one fails.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

/** Connects for long-running work. */
export async function connectForMaintenance(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({
    ...lastingConnection(connectionString),
    application_name: 'plumbline series maintenance',
    connectionTimeoutMillis: 5000,
    idle_in_transaction_session_timeout: 120_000,
  });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

/** SQLSTATE of an error of the database. */
export function sqlState(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined;
}
