import { join } from 'node:path';
import pg from 'pg';
import { DataSource, type MigrationInterface, MigrationExecutor } from 'typeorm';
import { lastingConnection } from '#libs/database-connections';
import { DATABASE_LOCKS } from '#libs/database-locks';
import { counted } from '#libs/wording';
import { awaitLock } from './awaited-lock.js';
import { connectionOptions } from './connection.js';
import { type OpenDatabase, placeOf } from './open-database.js';

export type Migrations = readonly (new () => MigrationInterface)[];

/** The database to migrate: as the owner of the tables, if they have a separate one. */
export type MigratedDatabase = Pick<OpenDatabase, 'url' | 'ownerUrl'> & Partial<Pick<OpenDatabase, 'dataFolder'>>;

/** The first migration of the database is not that of this version: no migration leads from there to here. */
export class DevelopmentDatabaseError extends Error {
  /** @param executed names of the migrations of the database, oldest first; at least one */
  constructor(executed: readonly string[], { url, ownerUrl, dataFolder }: MigratedDatabase) {
    const others = executed.length - 1;
    const names = executed[0]! + (others > 0 ? ` and ${String(others)} more` : '');
    const [place, newOne] =
      dataFolder === undefined
        ? [
            `The database at ${placeOf(url)} (DATABASE_URL)`,
            `create an empty database and set DATABASE_URL${ownerUrl === undefined ? '' : ' and DATABASE_OWNER_URL'} to it`,
          ]
        : [
            `The database in the data folder ${dataFolder}`,
            `stop Plumbline, then move ${join(dataFolder, 'postgres')} away or set PLUMBLINE_DATA to another folder`,
          ];
    super(
      `${place} was made by a development version from before the first release (it has the migrations ${names}). ` +
        'Databases of development versions are not carried over. Nothing in it was changed or deleted. ' +
        `To start with a new database, ${newOne}.`,
    );
    this.name = new.target.name;
  }
}

/** Long enough to build an index on a large table. */
const STATEMENT_TIMEOUT_MS = 3_600_000;

/** A migration that cannot lock its table fails instead of blocking everyone behind it. */
const LOCK_TIMEOUT_MS = 15_000;

/**
 * Migrates a database to the newest schema. `log` gets a line if there is work or something to report, `logWait` one if
 * another process blocks this one.
 * @throws DevelopmentDatabaseError for a database created before the first of these migrations
 */
export async function migrate(
  database: MigratedDatabase,
  migrations: Migrations,
  log: (line: string) => void,
  logWait = log,
): Promise<void> {
  const url = database.ownerUrl ?? database.url;
  const lock = new pg.Client({ ...lastingConnection(url), application_name: 'plumbline migration lock' });
  // A lost connection makes the statement that uses it fail.
  lock.on('error', () => undefined);
  await lock.connect();
  try {
    // One process migrates at a time, the others wait and then find nothing left to do. The lock has a separate
    // connection without time-outs: waiting for it may take as long as the migrations of another process.
    await awaitLock(lock, DATABASE_LOCKS.migration, logWait);
    await withMigrations(url, migrations, (dataSource) => run(dataSource, database, migrations, log));
  } finally {
    await lock.end();
  }
}

/**
 * Names of the missing migrations of a database, oldest first.
 * @throws DevelopmentDatabaseError as `migrate` does
 */
export async function pendingMigrations(database: MigratedDatabase, migrations: Migrations): Promise<string[]> {
  return withMigrations(database.ownerUrl ?? database.url, migrations, async (dataSource) => {
    const executor = new MigrationExecutor(dataSource);
    await executedMigrations(executor, database, migrations);
    const pending = await executor.getPendingMigrations();
    return pending.map(({ name }) => name);
  });
}

async function executedMigrations(
  executor: MigrationExecutor,
  database: MigratedDatabase,
  migrations: Migrations,
): Promise<string[]> {
  const executed = (await executor.getExecutedMigrations()).map(({ name }) => name).reverse();
  if (executed.length > 0 && !executed.includes(migrations[0]!.name)) {
    throw new DevelopmentDatabaseError(executed, database);
  }
  return executed;
}

async function run(
  dataSource: DataSource,
  database: MigratedDatabase,
  migrations: Migrations,
  log: (line: string) => void,
): Promise<void> {
  const executor = new MigrationExecutor(dataSource);
  const known = new Set(migrations.map((migration) => migration.name));
  const unknown = (await executedMigrations(executor, database, migrations)).filter((name) => !known.has(name));
  if (unknown.length > 0) log(`The database was migrated by a newer version: ${unknown.join(', ')}`);
  const pending = await executor.getPendingMigrations();
  if (pending.length === 0) return;
  // A new database needs all of them: their names would fill the screen of a first start without being useful.
  const isNew = pending.length === migrations.length;
  log(
    `Migrating the database: ${isNew ? counted(pending.length, 'step') : pending.map(({ name }) => name).join(', ')}`,
  );
  const startedAt = Date.now();
  const done = await dataSource.runMigrations({ transaction: 'each' });
  log(`Migrated the database: ${counted(done.length, 'step')} in ${String(Date.now() - startedAt)} ms`);
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
    extra: {
      ...lastingConnection(url),
      statement_timeout: STATEMENT_TIMEOUT_MS,
      lock_timeout: LOCK_TIMEOUT_MS,
    },
  });
  await dataSource.initialize();
  try {
    return await work(dataSource);
  } finally {
    await dataSource.destroy();
  }
}
