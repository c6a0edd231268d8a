import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { chown, open, rename, rm, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import pg from 'pg';
import { DATABASE_LOCKS } from '#libs/database-locks';
import { commandOf } from './program-account.js';
import { ensureApplicationRole } from './application-role.js';
import {
  type Cluster,
  freePort,
  isAlive,
  openCluster,
  readSuperuserUrl,
  readUrl,
  recordPort,
  recordUrl,
} from './cluster.js';
import { readPostmaster } from './postmaster.js';

export interface EmbeddedPostgresOptions {
  /** Created if it does not exist. The database is in its folder `postgres`. */
  dataFolder: string;
  /** Receives a line for each step that takes time. */
  log: (line: string) => void;
  /** False trades the safety of the data for speed: for tests. */
  durable?: boolean;
}

export interface PostgresExit {
  /** True after `stop`. */
  expected: boolean;
  /** For people: how it ended, and the last lines of its log if this was not expected. */
  description: string;
}

export interface EmbeddedPostgres {
  /** Address of the product's database, for a role that owns it and nothing else. */
  url: string;
  /** The same for the superuser, for tools that create databases; undefined if another process runs the server. */
  superuserUrl?: string;
  /** Fast shutdown: open transactions are rolled back, all committed data is on disk. Resolves when it is down. */
  stop(): Promise<void>;
  /** Resolves when the database is down, for any reason. */
  exited: Promise<PostgresExit>;
}

/** Another instance of the product runs on the data folder. */
export class DataFolderInUseError extends Error {
  constructor(
    readonly dataFolder: string,
    /** The database of that instance. */
    readonly url: string,
    owner: string,
  ) {
    super(
      `Plumbline is already running on the data folder ${dataFolder} (${owner}). ` +
        'Stop it first, or set PLUMBLINE_DATA to another folder.',
    );
    this.name = 'DataFolderInUseError';
  }
}

/**
 * The process that holds this lock in the cluster owns the data folder. PostgreSQL holds it as long as the connection
 * of the owner exists, so unlike a lock file it is never stale. A server is only stopped by the holder of its lock, and
 * a process that fails to get the lock does not use the server.
 */
const OWNER_LOCK = DATABASE_LOCKS.dataFolder.number;

const START_ATTEMPTS = 6;
const POLL_MS = 25;
const RELOCK_MS = 1000;
const PROGRESS_MS = 5000;
const STOP_TIMEOUT_MS = 60_000;
const MAX_LOG_BYTES = 10_000_000;

/**
 * Another process was faster, or took the server for a leftover and shut it down, or a killed server has not completely
 * ended yet.
 */
const TRANSIENT_START_FAILURE =
  /lock file "postmaster.pid" (already exists|is empty)|received fast shutdown request|could not bind|Address already in use|pre-existing shared memory block/;

const SETTINGS: Readonly<Record<string, string>> = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '100',
  shared_buffers: '256MB',
  wal_buffers: '16MB',
  // A backfill of years creates a table of blocks for each of its days in one transaction.
  max_locks_per_transaction: '256',
  synchronous_commit: 'on',
  wal_compression: 'on',
  min_wal_size: '128MB',
  max_wal_size: '2GB',
  checkpoint_timeout: '10min',
  // The point log is written and deleted continuously.
  autovacuum_naptime: '15s',
  // Queries are short, and the other cores belong to detection.
  jit: 'off',
  max_parallel_workers_per_gather: '0',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_line_prefix: '%m [%p] ',
  log_checkpoints: 'off',
};

const UNSAFE_SETTINGS = { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off' };

/**
 * Starts the PostgreSQL that comes with the npm packages on `<dataFolder>/postgres`, on a port of 127.0.0.1 only.
 *
 * Recovers from every kind of unclean stop: of this process alone (the server of the earlier run is still running and
 * is restarted, so that it has the settings and programs of this version), of the server, or of both. Throws
 * DataFolderInUseError if another instance of the product runs on the folder.
 *
 * The server is in a separate process group, so that Ctrl-C in a terminal reaches only this process, which stops it
 * when it has finished; if this process exits without `stop`, the server gets the signal to shut down.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { log, durable = true } = options;
  const dataFolder = resolve(options.dataFolder);
  const cluster = await openCluster(dataFolder, { durable, log });
  let failures = 0;
  for (;;) {
    const superuserUrl = await readSuperuserUrl(cluster.home);
    await takeOver(cluster, superuserUrl, dataFolder, log);
    let server: Server;
    try {
      server = await startServer(cluster, await freePort(Number((await readUrl(cluster.home)).port)), durable, log);
    } catch (error) {
      failures++;
      if (failures >= START_ATTEMPTS || !(error instanceof StartFailure) || !error.isTransient) throw error;
      await delay(100 * failures);
      continue;
    }
    try {
      const superuserAt = urlAt(superuserUrl, server.port);
      const lock = await lockOrNull(superuserAt);
      if (lock === null) {
        // Another process has just taken the server for a leftover of an earlier run, and now owns it.
        server.detach();
        server.child.unref();
        continue;
      }
      const recorded = await recordPort(cluster.home, await readUrl(cluster.home), server.port);
      const url = await ensureApplicationRole(lock, superuserAt, recorded);
      await recordUrl(cluster.home, superuserAt, url);
      return supervise(cluster, server, lock, { url, superuserUrl: superuserAt });
    } catch (error) {
      if (server.child.exitCode === null && server.child.signalCode === null) {
        server.child.kill('SIGINT');
        throw error;
      }
      failures++;
      if (failures >= START_ATTEMPTS) throw error;
    }
  }
}

/** Returns the database of the instance that runs on the data folder, or starts one for the caller only. */
export async function attachOrStartEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  try {
    return await startEmbeddedPostgres(options);
  } catch (error) {
    if (!(error instanceof DataFolderInUseError)) throw error;
    return { url: error.url, stop: () => Promise.resolve(), exited: new Promise(() => undefined) };
  }
}

interface Server {
  child: ChildProcess;
  port: number;
  /** Size of the log file before the server started, in bytes. */
  logStartsAt: number;
  /** Resolves when the process has ended. */
  gone: Promise<void>;
  /** Cancels the shutdown of the server at the exit of this process. */
  detach: () => void;
}

class StartFailure extends Error {
  readonly isTransient: boolean;

  constructor(lines: string) {
    super(`The embedded PostgreSQL did not start:\n${lines}`);
    this.name = 'StartFailure';
    this.isTransient = TRANSIENT_START_FAILURE.test(lines);
  }
}

/**
 * Prepares the cluster for a new server: returns when no server runs on it. Stops a server that has lost its owner;
 * throws DataFolderInUseError if the server has one.
 */
async function takeOver(cluster: Cluster, url: URL, dataFolder: string, log: (line: string) => void): Promise<void> {
  const giveUpAt = Date.now() + STOP_TIMEOUT_MS;
  for (;;) {
    const postmaster = await readPostmaster(cluster.folder);
    if (postmaster === null || postmaster.process === 'gone') return;
    if (postmaster.process === 'other') {
      // The file is left over from before a restart of the machine or container. PostgreSQL would take that process for
      // a server. By now, the file may belong to the new server of another process.
      if ((await readPostmaster(cluster.folder))?.record !== postmaster.record) continue;
      await rm(join(cluster.folder, 'postmaster.pid'), { force: true });
      return;
    }
    // A server that is starting or stopping will soon be ready or gone.
    const connection = postmaster.isReady ? await connectOrNull(urlAt(url, postmaster.port)) : null;
    if (connection) {
      try {
        const isLocked = await orNull(tryLock(connection));
        const owner = isLocked === false ? await orNull(describeOwner(connection)) : null;
        if (owner !== null) {
          const application = urlAt(await readUrl(cluster.home), postmaster.port);
          throw new DataFolderInUseError(dataFolder, application.href, owner);
        }
        // The connection was interrupted: another process is stopping this server.
        if (isLocked !== true) {
          await delay(POLL_MS);
          continue;
        }
        log('The database of an earlier run that was killed is still running: restarting it');
        process.kill(postmaster.pid, 'SIGINT');
        while (isAlive(postmaster.pid) && Date.now() < giveUpAt) await delay(POLL_MS);
        continue;
      } finally {
        await connection.end().catch(() => undefined);
      }
    }
    if (Date.now() > giveUpAt) {
      throw new Error(
        `A PostgreSQL server (process ${String(postmaster.pid)}) runs on ${cluster.folder} and does not answer: ` +
          `stop it (kill -INT ${String(postmaster.pid)}) and start again`,
      );
    }
    await delay(POLL_MS);
  }
}

async function startServer(
  cluster: Cluster,
  port: number,
  durable: boolean,
  log: (line: string) => void,
): Promise<Server> {
  const settings = { ...SETTINGS, ...(durable ? {} : UNSAFE_SETTINGS), port: String(port) };
  const { command, args, options } = commandOf(cluster.account, cluster.binaries.postgres, [
    ...['-D', cluster.folder],
    ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ]);
  const serverLog = await openLog(cluster);
  const child = spawn(command, args, { ...options, detached: true, stdio: ['ignore', serverLog.fd, serverLog.fd] });
  closeSync(serverLog.fd);
  let failure: Error | undefined;
  const gone = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', (error) => {
      failure = error;
      resolve();
    });
  });
  const isRunning = () => failure === undefined && child.exitCode === null && child.signalCode === null;
  const shutDown = () => {
    if (isRunning()) child.kill('SIGINT');
  };
  const detach = () => process.removeListener('exit', shutDown);
  process.once('exit', shutDown);
  void gone.then(detach);
  let nextProgress = Date.now() + PROGRESS_MS;
  for (;;) {
    const postmaster = await readPostmaster(cluster.folder);
    if (postmaster?.isReady && postmaster.pid === child.pid)
      return { child, port, logStartsAt: serverLog.startsAt, gone, detach };
    if (!isRunning()) {
      throw new StartFailure(failure?.message ?? (await tail(serverLog.path, serverLog.startsAt)));
    }
    if (Date.now() > nextProgress) {
      log('The database is still starting (after an unclean stop it recovers first)');
      nextProgress += PROGRESS_MS;
    }
    await delay(POLL_MS);
  }
}

function supervise(
  cluster: Cluster,
  server: Server,
  lock: pg.Client,
  { url, superuserUrl }: Record<'url' | 'superuserUrl', URL>,
): EmbeddedPostgres {
  const { child } = server;
  let isStopping = false;
  const isRunning = () => child.exitCode === null && child.signalCode === null;

  // The lock is held until the server is down. If its connection breaks before that, the lock is acquired again.
  const isOver = () => isStopping || !isRunning();
  const keepLock = (client: pg.Client) => client.once('end', lockAgain);
  const lockAgain = () => {
    const retry = () => {
      // By now, the port may belong to another server.
      if (isOver()) return;
      lockOrNull(superuserUrl).then((next) => (next ? keepLock(next) : lockAgain()), lockAgain);
    };
    if (!isOver()) setTimeout(retry, RELOCK_MS).unref();
  };
  keepLock(lock);

  const exited = server.gone.then(async (): Promise<PostgresExit> => {
    if (isStopping) return { expected: true, description: 'The database was stopped' };
    const how = child.signalCode ?? `exit code ${String(child.exitCode)}`;
    const lines = await tail(join(cluster.home, LOG_FILE), server.logStartsAt, IS_ECHO).catch(String);
    return { expected: false, description: `The database stopped unexpectedly (${how}). Its last lines:\n${lines}` };
  });

  return {
    url: url.href,
    superuserUrl: superuserUrl.href,
    exited,
    async stop() {
      if (!isStopping && isRunning()) {
        isStopping = true;
        child.kill('SIGINT');
      }
      const killTimer = setTimeout(() => child.kill('SIGQUIT'), STOP_TIMEOUT_MS);
      await exited;
      clearTimeout(killTimer);
    },
  };
}

const LOG_FILE = 'postgres.log';

/** Message of every connection after the server has ended: it would hide the reason. */
const IS_ECHO = /FATAL: +terminating connection/;

/** PostgreSQL writes to a file, not to a pipe: it must be able to write after this process has ended. */
async function openLog(cluster: Cluster): Promise<{ fd: number; path: string; startsAt: number }> {
  const path = join(cluster.home, LOG_FILE);
  const size = await stat(path).then(
    (found) => found.size,
    () => 0,
  );
  if (size > MAX_LOG_BYTES) await rename(path, `${path}.1`);
  const fd = openSync(path, 'a', 0o600);
  if (process.getuid?.() === 0) {
    const owner = await stat(cluster.home);
    await chown(path, owner.uid, owner.gid);
  }
  return { fd, path, startsAt: size > MAX_LOG_BYTES ? 0 : size };
}

/** The last lines of a log, of those written from `startsAt` on, without uninformative ones. */
async function tail(path: string, startsAt: number, isNoise?: RegExp): Promise<string> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    const from = Math.max(startsAt, size - 8192);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(size - from), 0, size - from, from);
    const lines = buffer.toString('utf8', 0, bytesRead).trim().split('\n');
    return lines
      .filter((line) => isNoise?.test(line) !== true)
      .slice(-20)
      .join('\n');
  } finally {
    await file.close();
  }
}

function urlAt(url: URL, port: number): URL {
  const at = new URL(url);
  at.port = String(port);
  return at;
}

/**
 * The result of the promise; null if the server refuses or cuts the connection because it is starting or shutting down.
 */
async function orNull<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer;
  } catch (error) {
    // SQLSTATE class 57 is caused by an operator: a shutdown, a start that is not complete, a login interrupted by
    // either. An error that is not an answer of the server is an error of the connection: refused, reset, ended early,
    // timed out.
    const isTemporary = !(error instanceof pg.DatabaseError) || error.code?.startsWith('57') === true;
    if (isTemporary) return null;
    throw error;
  }
}

/** A connection to the maintenance database; null if the server does not accept one at this moment. */
function connectOrNull(url: URL): Promise<pg.Client | null> {
  const at = new URL(url);
  at.pathname = '/postgres';
  const client = new pg.Client({
    connectionString: at.href,
    application_name: `plumbline owner ${String(process.pid)}`,
    connectionTimeoutMillis: 5000,
    keepAlive: true,
  });
  client.on('error', () => undefined);
  return orNull(client.connect().then(() => client));
}

async function tryLock(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ locked: boolean }>('SELECT pg_try_advisory_lock($1) AS locked', [OWNER_LOCK]);
  return rows[0]!.locked;
}

/**
 * A connection that holds the owner's lock; null if another process holds it, or the server does not accept a
 * connection.
 */
async function lockOrNull(url: URL): Promise<pg.Client | null> {
  const client = await connectOrNull(url);
  if (client === null) return null;
  if (await orNull(tryLock(client))) return client;
  await client.end().catch(() => undefined);
  return null;
}

async function describeOwner(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT a.application_name AS name FROM pg_locks l JOIN pg_stat_activity a USING (pid)
     WHERE l.locktype = 'advisory' AND l.objid = $1 AND l.granted`,
    [OWNER_LOCK],
  );
  const pid = rows[0]?.name.split(' ').at(-1);
  return pid === undefined ? 'another process' : `process ${pid}`;
}

function delay(ms: number): Promise<void> {
  return new Promise((next) => setTimeout(next, ms));
}
