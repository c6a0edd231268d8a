import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { DATABASE_LOCKS } from '#libs/database-locks';
import { connectionOptions } from '../../apps/server/src/common/database/connection.js';
import { DatabaseConfig } from '../../apps/server/src/common/database/database.config.js';
import { migrate } from '../../apps/server/src/common/database/migrate.js';
import { MIGRATIONS } from '../../apps/server/migrations/index.js';
import { CONNECT_TIMEOUT_SECONDS } from './connect-timeout.js';

const SERVER = resolve(import.meta.dirname, '../../apps/server/src');
const MIGRATIONS_FOLDER = resolve(import.meta.dirname, '../../apps/server/migrations');
const TEMPLATE_LOCK = DATABASE_LOCKS.testTemplate.number;

export interface TestDatabase {
  url: string;
  /** With all entities of the server. */
  dataSource: DataSource;
  /** Closes remaining connections and drops the database. */
  drop(): Promise<void>;
}

type EntityClass = new () => object;

/** A migrated, empty database for a test file. It is a clone, created in some ten milliseconds. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const url = await cloneTemplate(await templateName());
  const timeout = Object.assign(new DatabaseConfig(), { connectTimeoutSeconds: CONNECT_TIMEOUT_SECONDS });
  const dataSource = new DataSource({ ...connectionOptions(url, timeout), entities: await allEntities() });
  try {
    await dataSource.initialize();
  } catch (error) {
    await dropDatabase(url);
    throw error;
  }
  return {
    url,
    dataSource,
    drop: async () => {
      if (dataSource.isInitialized) await dataSource.destroy();
      await dropDatabase(url);
    },
  };
}

/** A database without tables. */
export async function createEmptyDatabase(): Promise<{ url: string; drop(): Promise<void> }> {
  const url = await cloneTemplate('template0');
  return { url, drop: () => dropDatabase(url) };
}

/** Every entity of the server, found by file name, so that files without importers are included. */
export async function allEntities(): Promise<EntityClass[]> {
  const files = (await readdir(SERVER, { recursive: true })).filter((file) => file.endsWith('.entity.ts')).sort();
  const modules = await Promise.all(
    files.map((file) => import(join(SERVER, file)) as Promise<Record<string, unknown>>),
  );
  return modules
    .flatMap((module) => Object.entries(module))
    .filter(([name]) => name.endsWith('Entity'))
    .map(([, entity]) => entity as EntityClass);
}

/** The server shared by all tests; the first request starts it (global-setup.mjs). */
async function serverUrl(): Promise<URL> {
  const given = process.env.PLUMBLINE_TEST_DATABASE_URL;
  if (given) return new URL(given);
  const port = Number(process.env.PLUMBLINE_TEST_DATABASE_PORT);
  const socket = connect({ port, host: '127.0.0.1' });
  await once(socket, 'connect');
  const answer = JSON.parse(await text(socket)) as { url?: string; error?: string };
  if (answer.url === undefined) throw new Error(answer.error);
  return new URL(answer.url);
}

async function asAdmin<T>(work: (client: pg.Client, server: URL) => Promise<T>): Promise<T> {
  const server = await serverUrl();
  const at = new URL(server);
  at.pathname = '/postgres';
  const client = new pg.Client({ connectionString: at.href });
  await client.connect();
  try {
    return await work(client, server);
  } finally {
    await client.end();
  }
}

function atDatabase(server: URL, name: string): string {
  const at = new URL(server);
  at.pathname = `/${name}`;
  return at.href;
}

async function cloneTemplate(template: string): Promise<string> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  return asAdmin(async (client, server) => {
    // The default strategy writes each block to the write-ahead log, which takes five times as long.
    await client.query(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY file_copy`);
    return atDatabase(server, name);
  });
}

async function dropDatabase(url: string): Promise<void> {
  const name = new URL(url).pathname.slice(1);
  await asAdmin((client) => client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`));
}

let template: Promise<string> | undefined;

/**
 * The migrated template, created by the first test that needs it. It is created from the migrations in the source,
 * never from a build, and its name contains their hash: a changed migration results in a new template.
 */
function templateName(): Promise<string> {
  template ??= makeTemplate();
  return template;
}

async function makeTemplate(): Promise<string> {
  const hash = createHash('sha256');
  const files = (await readdir(MIGRATIONS_FOLDER, { recursive: true })).filter((file) => file.endsWith('.ts'));
  for (const file of files.sort()) {
    hash.update(file).update(await readFile(join(MIGRATIONS_FOLDER, file)));
  }
  const name = `template_${hash.digest('hex').slice(0, 16)}`;
  return asAdmin(async (client, server) => {
    await client.query('SELECT pg_advisory_lock($1)', [TEMPLATE_LOCK]);
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [name]);
    if (rowCount === 0) {
      const unfinished = `${name}_unfinished`;
      await client.query(`DROP DATABASE IF EXISTS ${unfinished}`);
      await client.query(`CREATE DATABASE ${unfinished}`);
      await migrate({ url: atDatabase(server, unfinished) }, MIGRATIONS, () => undefined);
      await client.query(`ALTER DATABASE ${unfinished} RENAME TO ${name}`);
    }
    return name;
  });
}
