import { resolve } from 'node:path';
import pg from 'pg';
import { attachOrStartEmbeddedPostgres, type PostgresExit, startEmbeddedPostgres } from '#libs/embedded-postgres';
import { type DatabaseConfig } from './database.config.js';

export interface OpenDatabaseOptions {
  config: Pick<DatabaseConfig, 'url' | 'connectTimeoutSeconds'> & Partial<Pick<DatabaseConfig, 'ownerUrl'>>;
  /** Folder of the embedded database, if DATABASE_URL is not set. */
  dataFolder: string;
  log: (line: string) => void;
  /**
   * True for tools that work next to a running instance: they use its embedded database, which is otherwise an error.
   */
  attach?: boolean;
}

export interface OpenDatabase {
  url: string;
  /** For migrations, if they have a separate role. */
  ownerUrl?: string | undefined;
  isEmbedded: boolean;
  /** Absolute; undefined for a database of DATABASE_URL. */
  dataFolder?: string | undefined;
  /** Stops the embedded database; has no effect on one of DATABASE_URL. */
  stop(): Promise<void>;
  /** Resolves when the embedded database is down; never for one of DATABASE_URL. */
  exited: Promise<PostgresExit>;
}

const OLDEST_VERSION = 15;
const RETRY_MS = 1000;
const SERVER_ATTEMPTS = 30;

/** The server does not exist yet, or is just starting: worth waiting for. */
const TEMPORARY = new Set(['ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN', '57P03']);

/** A database that other programs start and stop. */
const OF_ANOTHER = { stop: () => Promise.resolve(), exited: new Promise<never>(() => undefined) };

/** The database of the process: the one of DATABASE_URL, or else the embedded one, started. Ready for queries. */
export async function openDatabase(options: OpenDatabaseOptions): Promise<OpenDatabase> {
  const { config, dataFolder, log } = options;
  if (config.url !== undefined) {
    await checkServer(config.url, config.connectTimeoutSeconds, log);
    return {
      url: config.url,
      ownerUrl: config.ownerUrl,
      isEmbedded: false,
      ...OF_ANOTHER,
    };
  }
  const start = options.attach ? attachOrStartEmbeddedPostgres : startEmbeddedPostgres;
  return { ...(await start({ dataFolder, log })), isEmbedded: true, dataFolder: resolve(dataFolder) };
}

/** Waits until the server at `url` answers and checks its version. Errors name the server, never the password. */
export async function checkServer(
  url: string,
  connectTimeoutSeconds: number,
  log: (line: string) => void,
  attempts = SERVER_ATTEMPTS,
): Promise<void> {
  const place = placeOf(url);
  for (let attempt = 1; ; attempt++) {
    const client = new pg.Client({
      connectionString: url,
      application_name: 'plumbline',
      connectionTimeoutMillis: connectTimeoutSeconds * 1000,
    });
    client.on('error', () => undefined);
    try {
      await client.connect();
      const { rows } = await client.query<{ number: string; text: string }>(
        `SELECT current_setting('server_version_num') AS number, current_setting('server_version') AS text`,
      );
      checkVersion(Number(rows[0]!.number), rows[0]!.text, place);
      return;
    } catch (error) {
      const { code, message } = error as { code?: string; message: string };
      if (error instanceof OldServerError) throw error;
      if (attempt >= attempts || code === undefined || !TEMPORARY.has(code)) {
        throw new Error(`The database at ${place} (DATABASE_URL) cannot be used: ${message || String(code)}`, {
          cause: error,
        });
      }
      if (attempt === 1) log(`Waiting for the database at ${place}`);
      await new Promise((next) => setTimeout(next, RETRY_MS));
    } finally {
      await client.end().catch(() => undefined);
    }
  }
}

export class OldServerError extends Error {
  constructor(version: string, place: string) {
    super(`The database at ${place} is PostgreSQL ${version}; Plumbline needs ${String(OLDEST_VERSION)} or newer`);
    this.name = 'OldServerError';
  }
}

/** `number` is PostgreSQL's server_version_num, e.g. 150004. */
export function checkVersion(number: number, version: string, place: string): void {
  if (number < OLDEST_VERSION * 10_000) throw new OldServerError(version, place);
}

/** Host, port and database of an address: never its password. */
export function placeOf(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  return parsed ? `${parsed.host}${parsed.pathname}` : 'the given address';
}
