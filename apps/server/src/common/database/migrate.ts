import pg from 'pg';
import { DataSource, type MigrationInterface, MigrationExecutor } from 'typeorm';
import { connectionOptions } from './connection.js';

export type Migrations = readonly (new () => MigrationInterface)[];

/**
 * One process migrates at a time, the others wait and then find nothing left to do. The lock has a connection of its
 * own without time-outs: waiting for it may take as long as the migrations of another do. The key is arbitrary, but
 * the same in every version.
 */
const MIGRATION_LOCK = 0x706c_0004;

/** Long enough to build an index on a large table. */
const STATEMENT_TIMEOUT_MS = 3_600_000;

/** A migration that cannot get its table fails instead of stopping everyone behind it. */
const LOCK_TIMEOUT_MS = 15_000;

/** Brings the database at `url` to the newest schema. `log` gets a line when there is something to do or to know. */
export async function migrate(url: string, migrations: Migrations, log: (line: string) => void): Promise<void> {
  const lock = new pg.Client({ connectionString: url, application_name: 'plumbline migration lock', keepAlive: true });
  // A lost connection shows in the statement that uses it.
  lock.on('error', () => undefined);
  await lock.connect();
  try {
    const { rows } = await lock.query<{ got: boolean }>('SELECT pg_try_advisory_lock($1) AS got', [MIGRATION_LOCK]);
    if (!rows[0]!.got) {
      log('Another process is migrating the database: waiting for it');
      await lock.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    }
    await withMigrations(url, migrations, (dataSource) => run(dataSource, migrations, log));
  } finally {
    await lock.end();
  }
}

/** Names of the migrations that the database at `url` has not seen, oldest first. */
export async function pendingMigrations(url: string, migrations: Migrations): Promise<string[]> {
  return withMigrations(url, migrations, async (dataSource) => {
    const pending = await new MigrationExecutor(dataSource).getPendingMigrations();
    return pending.map(({ name }) => name);
  });
}

async function run(dataSource: DataSource, migrations: Migrations, log: (line: string) => void): Promise<void> {
  const executor = new MigrationExecutor(dataSource);
  const known = new Set(migrations.map((migration) => migration.name));
  const strangers = (await executor.getExecutedMigrations()).filter(({ name }) => !known.has(name));
  if (strangers.length > 0) {
    log(`The database was migrated by a newer version: ${strangers.map(({ name }) => name).join(', ')}`);
  }
  const pending = await executor.getPendingMigrations();
  if (pending.length === 0) return;
  log(`Migrating the database: ${pending.map(({ name }) => name).join(', ')}`);
  const startedAt = Date.now();
  const done = await dataSource.runMigrations({ transaction: 'each' });
  log(`Migrated the database: ${String(done.length)} steps in ${String(Date.now() - startedAt)} ms`);
}

async function withMigrations<T>(
  url: string,
  migrations: Migrations,
  work: (dataSource: DataSource) => Promise<T>,
): Promise<T> {
  const dataSource = new DataSource({
    ...connectionOptions(url),
    poolSize: 2,
    migrations: [...migrations],
    migrationsTransactionMode: 'each',
    extra: { statement_timeout: STATEMENT_TIMEOUT_MS, lock_timeout: LOCK_TIMEOUT_MS, keepAlive: true },
  });
  await dataSource.initialize();
  try {
    return await work(dataSource);
  } finally {
    await dataSource.destroy();
  }
}
