import { randomBytes } from 'node:crypto';
import { open, readFile } from 'node:fs/promises';
import { cpus, freemem, release, totalmem, type as osType } from 'node:os';
import { join, resolve } from 'node:path';
import type pg from 'pg';
import { type Environment } from '../../../server/src/common/config/environment.config.js';
import { ServerConfig } from '../../../server/src/common/config/server.config.js';
import { settingsOf } from '../../../server/src/common/config/setting.decorator.js';
import { productVersion } from '../../../server/src/common/product-version.js';
import { CONFIG_CLASSES } from '../../../server/src/config.registry.js';
import { findingsJson } from '../doctor/finding.js';
import { runDoctor } from '../doctor/run-doctor.js';
import { checkSettings } from '../doctor/settings-checks.js';
import { localOrigin, managementText } from '../status/running-product.js';
import { Scrubber, withoutValues } from './scrubber.js';
import { type TarEntry } from './tar.js';

const LOG_BYTES = 1_048_576;

export interface SupportBundleOptions {
  env: Environment;
  /** The log file of the product; undefined: no log is added. */
  logFile: string | undefined;
  /** Unix seconds. */
  now: number;
}

/** A file of the bundle before its secrets are removed. */
interface Part {
  name: string;
  text: string;
}

/** Data for diagnosing the problem of an installation, without secrets. */
export async function supportBundle({ env, logFile, now }: SupportBundleOptions): Promise<TarEntry[]> {
  const parts: Part[] = [];
  const leftOut: { file: string; reason: string }[] = [];
  const add = async (name: string, content: () => Promise<unknown>): Promise<void> => {
    try {
      const found = await content();
      parts.push({ name, text: typeof found === 'string' ? found : `${JSON.stringify(found, null, 2)}\n` });
    } catch (error) {
      leftOut.push({ file: name, reason: error instanceof Error ? error.message : String(error) });
    }
  };
  await add('settings.json', () => Promise.resolve(givenSettings(env)));
  await add('doctor.json', async () => {
    const findings = await runDoctor({
      env,
      withDatabase: async (client) => {
        await add('tables.json', () => tables(client));
        await add(
          'migrations.json',
          async () => (await client.query<object>('SELECT * FROM migrations ORDER BY id')).rows,
        );
        await add('activity.json', () => activity(client));
        await add('slow-statements.json', () => slowStatements(client));
      },
    });
    return findingsJson(findings);
  });
  const { config } = checkSettings(env);
  if (config !== null) {
    const { managementHost, managementPort, dataFolder } = config.get(ServerConfig);
    const origin = localOrigin(managementHost, managementPort);
    for (const [path, name] of MANAGEMENT) await add(name, () => managementText(origin, path));
    await add('postgres.log', async () =>
      withoutDetails(await lastLines(join(resolve(dataFolder), 'postgres', 'postgres.log'))),
    );
  }
  if (logFile !== undefined) await add('log.txt', () => lastLines(logFile));
  parts.push({ name: 'about.json', text: `${JSON.stringify({ ...about(now), left_out: leftOut }, null, 2)}\n` });
  const scrubber = new Scrubber(await knownSecrets(env, config?.get(ServerConfig).dataFolder));
  return parts.map(({ name, text }) => ({ name, content: Buffer.from(scrubber.clean(text)) }));
}

const MANAGEMENT = [
  ['/metrics', 'metrics.txt'],
  ['/readyz', 'readyz.json'],
  ['/summary', 'summary.json'],
] as const;

function about(now: number): object {
  return {
    version: productVersion(),
    node: process.version,
    platform: `${osType()} ${release()} ${process.arch}`,
    processors: cpus().length,
    memory_bytes: totalmem(),
    memory_free_bytes: freemem(),
    made_at: new Date(now * 1000).toISOString(),
  };
}

function givenSettings(env: Environment): Record<string, string> {
  const settings = CONFIG_CLASSES.flatMap((one) => settingsOf(one));
  const given = settings.filter(({ env: name }) => isSet(env, name));
  return Object.fromEntries(given.map(({ env: name, secret }) => [name, secret ? '[hidden]' : env[name]!]));
}

const isSet = (env: Environment, name: string): boolean => (env[name] ?? '').trim() !== '';

/** All values of this installation that no text may contain. */
async function knownSecrets(env: Environment, dataFolder: string | undefined): Promise<string[]> {
  const secrets: string[] = [];
  for (const { env: name, secret } of CONFIG_CLASSES.flatMap((one) => settingsOf(one))) {
    const value = env[name]?.trim();
    if (!secret || value === undefined || value === '') continue;
    secrets.push(value, ...value.split(',').map((item) => item.trim()), ...passwordOf(value));
  }
  // Settings of other programs in the same environment must not be shown.
  for (const [name, value] of Object.entries(env)) {
    if (/password|secret|token|api_?key|credential/i.test(name) && value !== undefined) secrets.push(value);
  }
  if (dataFolder !== undefined) {
    const files = ['secret.key', 'postgres/url', 'postgres/superuser-url'];
    for (const file of files) {
      const text = await readFile(join(resolve(dataFolder), file), 'utf8').catch(() => '');
      secrets.push(...text.split(/\s+/), ...passwordOf(text.trim()));
    }
  }
  return secrets;
}

function passwordOf(value: string): string[] {
  if (!URL.canParse(value)) return [];
  const { password } = new URL(value);
  return password === '' ? [] : [password, decodeURIComponent(password)];
}

/** Name, bytes and estimated number of rows, largest first. */
async function tables(client: pg.Client): Promise<unknown[]> {
  const { rows } = await client.query(
    `SELECT c.relname AS name, pg_total_relation_size(c.oid)::float8 AS bytes, c.reltuples::float8 AS rows_estimated,
            s.n_dead_tup::float8 AS dead_rows, s.last_autovacuum
     FROM pg_class c LEFT JOIN pg_stat_user_tables s ON s.relid = c.oid
     WHERE c.relkind IN ('r', 'p') AND c.relnamespace = current_schema()::regnamespace ORDER BY bytes DESC LIMIT 1000`,
  );
  return rows as unknown[];
}

async function activity(client: pg.Client): Promise<object> {
  const connections = await client.query(
    `SELECT application_name, state, wait_event_type, wait_event, count(*)::int AS count FROM pg_stat_activity
     WHERE datname = current_database() GROUP BY 1, 2, 3, 4 ORDER BY count DESC`,
  );
  const running = await client.query<{ seconds: number; wait_event: string | null; query: string }>(
    `SELECT extract(epoch FROM clock_timestamp() - query_start)::float8 AS seconds, wait_event, query
     FROM pg_stat_activity WHERE datname = current_database() AND state <> 'idle' AND pid <> pg_backend_pid()
       AND query_start < clock_timestamp() - interval '1 second' ORDER BY seconds DESC LIMIT 50`,
  );
  return {
    connections: connections.rows as unknown[],
    running: running.rows.map((row) => ({ ...row, query: withoutValues(row.query) })),
  };
}

async function slowStatements(client: pg.Client): Promise<unknown[]> {
  const { rows: found } = await client.query<{ is: boolean }>(
    `SELECT EXISTS (SELECT FROM pg_extension WHERE extname = 'pg_stat_statements') AS is`,
  );
  if (!found[0]!.is) throw new Error('the extension pg_stat_statements is not installed');
  const { rows } = await client.query<{ query: string }>(
    `SELECT calls::float8, mean_exec_time AS mean_milliseconds, max_exec_time AS max_milliseconds,
            total_exec_time AS total_milliseconds, query
     FROM pg_stat_statements WHERE dbid = (SELECT oid FROM pg_database WHERE datname = current_database())
     ORDER BY total_exec_time DESC LIMIT 20`,
  );
  return rows.map((row) => ({ ...row, query: withoutValues(row.query) }));
}

async function lastLines(path: string): Promise<string> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    const from = Math.max(0, size - LOG_BYTES);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(size - from), 0, size - from, from);
    const text = buffer.toString('utf8', 0, bytesRead);
    // The first line is truncated, and so might be a secret in it.
    return from === 0 ? text : text.slice(text.indexOf('\n') + 1);
  } finally {
    await file.close();
  }
}

/** Messages of PostgreSQL without the statements and rows to which they refer. */
function withoutDetails(text: string): string {
  const message = /^\d{4}-\d\d-\d\d [\d:.]+ UTC \[\d+\] (?:LOG|WARNING|ERROR|FATAL|PANIC|HINT):/;
  const lines = text.split('\n').filter((line) => message.test(line));
  return `${lines.map((line) => line.replace(/(invalid input [^:]*:).*/, '$1 ?')).join('\n')}\n`;
}

/** Random, so that two bundles of the same second have different names. */
export function bundleFileName(now: number): string {
  const time = new Date(now * 1000).toISOString().slice(0, 19).replaceAll(':', '-');
  return `plumbline-support-${time}Z-${randomBytes(2).toString('hex')}.tar.gz`;
}
