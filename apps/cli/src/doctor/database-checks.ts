import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import pg from 'pg';
import { diskText } from '#libs/wording';
import { DevelopmentDatabaseError, pendingMigrations } from '../../../server/src/common/database/migrate.js';
import { DatabaseConfig } from '../../../server/src/common/database/database.config.js';
import {
  checkServer,
  OldServerError,
  type OpenDatabase,
  openDatabase,
} from '../../../server/src/common/database/open-database.js';
import { type LoadedConfig } from '../../../server/src/common/config/load-config.js';
import { ServerConfig } from '../../../server/src/common/config/server.config.js';
import { StorageConfig } from '../../../server/src/platform/storage/storage.config.js';
import { MIGRATIONS } from '../../../server/migrations/index.js';
import { failed, type Finding, ok, warning } from './finding.js';

const CHECK = 'database';
const SLOW_MS = 50;
const PINGS = 5;
/** Connections in addition to the pool and those of storage: listeners and locks. */
const OTHER_CONNECTIONS = 6;

/** Returns the database for further checks; null if no database can be used. */
export async function openForChecks(
  config: LoadedConfig,
): Promise<{ findings: Finding[]; database: OpenDatabase | null }> {
  const database = config.get(DatabaseConfig);
  const dataFolder = resolve(config.get(ServerConfig).dataFolder);
  const cluster = join(dataFolder, 'postgres');
  const findings: Finding[] = [];
  if (database.url === undefined && !existsSync(cluster)) {
    const message = `there is none in the data folder ${dataFolder} yet: the first start creates it`;
    const advice = 'If there should be one, set PLUMBLINE_DATA to the data folder of the product';
    return { findings: [warning(CHECK, message, advice)], database: null };
  }
  if (database.url !== undefined && existsSync(cluster)) {
    const message = `DATABASE_URL is set, and the embedded database in ${cluster} is not used`;
    findings.push(warning(CHECK, message, 'Move it away if its data is not needed, or unset DATABASE_URL'));
  }
  try {
    // One attempt: the check is about the current state.
    if (database.url !== undefined) {
      await checkServer(database.url, database.connectTimeoutSeconds, () => undefined, 1);
    }
    const options = { config: database, dataFolder, log: () => undefined, attach: true };
    return { findings, database: await openDatabase(options) };
  } catch (error) {
    findings.push(failed(CHECK, reasonOf(error), adviceFor(error, database.url !== undefined)));
    return { findings, database: null };
  }
}

function reasonOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n')[0]!;
}

/** By SQLSTATE, or by the error code of the system. */
const ADVICE: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'Start PostgreSQL, or correct host and port of DATABASE_URL',
  ENOTFOUND: 'Correct the host of DATABASE_URL, or the names that this machine can look up',
  EAI_AGAIN: 'Check whether this machine can resolve names',
  ETIMEDOUT: 'Check whether a firewall or a network policy blocks the connection to the database',
  '28P01': 'Correct user and password of DATABASE_URL',
  '28000': 'Correct the user of DATABASE_URL, or allow it in pg_hba.conf',
  '3D000': 'Create the database, or correct its name in DATABASE_URL',
  '53300': 'Raise max_connections of PostgreSQL, or lower PLUMBLINE_DATABASE_POOL of the processes',
  '57P03': 'Wait: PostgreSQL is starting or stopping',
};

function adviceFor(error: unknown, isExternal: boolean): string {
  if (error instanceof OldServerError) return 'Upgrade PostgreSQL';
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  const { code } = (cause ?? {}) as { code?: string };
  const known = code === undefined ? undefined : ADVICE[code];
  if (known !== undefined) return known;
  return isExternal
    ? 'Try psql "$DATABASE_URL" on this machine'
    : 'Read postgres/postgres.log in the data folder; restore a backup if it is damaged (docs/guide/backup.md)';
}

interface Server {
  version: string;
  max: number;
  used: number;
  bytes: number;
}

/** Checks migrations, latency and connections. */
export async function checkDatabase(
  client: pg.Client,
  database: OpenDatabase,
  config: LoadedConfig,
  isRunning: boolean,
): Promise<Finding[]> {
  const latency = await medianLatency(client);
  const { rows } = await client.query<Server>(
    `SELECT current_setting('server_version') AS version,
            (SELECT current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int) AS max,
            (SELECT sum(numbackends)::int - 1 FROM pg_stat_database) AS used,
            pg_database_size(current_database())::float8 AS bytes`,
  );
  const { version, max, used, bytes } = rows[0]!;
  const kind = database.isEmbedded ? 'embedded' : 'of DATABASE_URL';
  const findings = [
    latency > SLOW_MS
      ? warning(
          CHECK,
          `PostgreSQL ${version} (${kind}) takes ${latency.toFixed(0)} ms to answer`,
          'Run it closer to the product, or check what keeps it busy (pg_stat_activity)',
        )
      : ok(CHECK, `PostgreSQL ${version} (${kind}), ${diskText(bytes)}, answers in ${latency.toFixed(1)} ms`),
  ];
  findings.push(connectionFinding(max, used, config, isRunning), await migrationFinding(database, client));
  return findings;
}

function connectionFinding(max: number, used: number, config: LoadedConfig, isRunning: boolean): Finding {
  const check = 'connections';
  const free = max - used;
  const pool = config.get(DatabaseConfig).poolSize + 2 * config.get(StorageConfig).connections + OTHER_CONNECTIONS;
  // A running product already has most of its connections open.
  const needed = isRunning ? OTHER_CONNECTIONS : pool;
  const found = `${free} of ${max} connections of PostgreSQL are free`;
  if (free >= needed) return ok(check, found);
  const advice = 'Raise max_connections of PostgreSQL, or lower PLUMBLINE_DATABASE_POOL of the processes';
  return free <= 0 ? failed(check, found, advice) : warning(check, `${found}; a process takes up to ${pool}`, advice);
}

async function migrationFinding(database: OpenDatabase, client: pg.Client): Promise<Finding> {
  const check = 'migrations';
  try {
    const pending = await pendingMigrations(database, MIGRATIONS);
    if (pending.length > 0) {
      const message = `${pending.length} to run: ${pending.slice(0, 3).join(', ')}${pending.length > 3 ? ' …' : ''}`;
      return warning(check, message, 'Run plumbline migrate, or start this version: the start runs them');
    }
    const { rows } = await client.query<{ name: string }>('SELECT name FROM migrations');
    const known = new Set(MIGRATIONS.map(({ name }) => name));
    const unknown = rows.filter(({ name }) => !known.has(name));
    if (unknown.length === 0) return ok(check, `all ${rows.length} have been run`);
    const message = `the database was migrated by a newer version (${unknown.map(({ name }) => name).join(', ')})`;
    return warning(
      check,
      message,
      'The release just before that version works too; an older one may not (docs/guide/upgrading.md, Going back)',
    );
  } catch (error) {
    if (!(error instanceof DevelopmentDatabaseError)) throw error;
    return failed(check, 'the database was created by a development version', error.message);
  }
}

async function medianLatency(client: pg.Client): Promise<number> {
  const took: number[] = [];
  for (let i = 0; i < PINGS; i++) {
    const startedAt = performance.now();
    await client.query('SELECT 1');
    took.push(performance.now() - startedAt);
  }
  return took.sort((a, b) => a - b)[Math.floor(PINGS / 2)]!;
}

export async function connected(url: string, timeoutSeconds: number): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'plumbline doctor',
    connectionTimeoutMillis: timeoutSeconds * 1000,
    statement_timeout: 30_000,
  });
  // A lost connection shows in the next statement.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}
