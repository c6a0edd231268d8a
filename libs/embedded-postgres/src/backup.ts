import { createHash } from 'node:crypto';
import { mkdir, open, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import {
  BackupError,
  type BackupFile,
  type BackupManifest,
  exists,
  INCOMPLETE_FILE,
  MANIFEST_FILE,
  SECRET_KEY_FILE,
  sizeOf,
  syncFolder,
  writeManifest,
} from './backup-manifest.js';
import { type Cluster, DATABASE_NAME, openCluster, readSuperuserUrl, readUrl } from './cluster.js';
import { copyFile, eachAtOnce } from './copy-file.js';
import { checkSpace } from './disk-space.js';
import { attachOrStartEmbeddedPostgres } from './embedded-postgres.js';

export interface BackupOptions {
  /** Must contain a cluster: a folder without one is not backed up. */
  dataFolder: string;
  /** Created if it does not exist; must be empty. */
  folder: string;
  productVersion: string;
  secretKey: BackupManifest['secretKey'];
  /** Receives a line for each step that takes time. */
  log: (line: string) => void;
  /** Called once, with the number of bytes to copy; returns the function that is called for each piece. */
  onStart?: (bytes: number) => (bytes: number) => void;
  signal?: AbortSignal;
}

/**
 * Files that PostgreSQL creates again at each start, and files that belong to one running server; their folders must
 * exist.
 */
const EMPTIED = new Set(
  ['pg_wal', 'pg_replslot', 'pg_dynshmem', 'pg_notify', 'pg_serial', 'pg_snapshots', 'pg_stat_tmp', 'pg_subtrans'].map(
    (name) => `${name}/`,
  ),
);
const LEFT_OUT =
  /(?:^|\/)(?:postmaster\.(?:pid|opts)|pg_internal\.init(?:\.\d+)?|pgsql_tmp[^/]*|current_logfiles(?:\.tmp)?|backup_label(?:\.old)?)$/;
const CONTROL_FILE = 'global/pg_control';
/** Path of the cluster, in a data folder and in a backup of it. */
const CLUSTER = 'postgres/cluster';
const ADDRESSES = ['postgres/url', 'postgres/superuser-url'];
const MIN_FREE_BYTES = 64 * 1_048_576;

/**
 * Copies the embedded database into a folder, with the product running or stopped: the files of the cluster, between
 * pg_backup_start and pg_backup_stop, and the write-ahead log that makes them consistent. Everything that was committed
 * before it resolves is in the copy.
 * @throws BackupError if the folder is not empty, the disk is too small, or there is no database
 */
export async function backUpEmbeddedPostgres(options: BackupOptions): Promise<BackupManifest> {
  const dataFolder = resolve(options.dataFolder);
  const folder = resolve(options.folder);
  if (!(await exists(join(dataFolder, CLUSTER)))) {
    throw new BackupError(
      `There is no database in the data folder ${dataFolder}: set PLUMBLINE_DATA to that of the product`,
    );
  }
  if (folder === dataFolder || folder.startsWith(`${dataFolder}/`)) {
    throw new BackupError('A backup in the data folder is lost with it: choose another disk, or another machine');
  }
  await claimFolder(folder);
  try {
    return await backUpInto(folder, { ...options, dataFolder });
  } catch (error) {
    // The folder was empty. Files that remain after a kill are marked as incomplete.
    for (const name of await readdir(folder)) await rm(join(folder, name), { recursive: true, force: true });
    throw error;
  }
}

async function backUpInto(folder: string, options: BackupOptions): Promise<BackupManifest> {
  const { dataFolder, log } = options;
  const startedAt = new Date();
  const database = await attachOrStartEmbeddedPostgres({ dataFolder, log });
  try {
    const cluster = await openCluster(dataFolder, { durable: true, log });
    const client = await connectSuperuser(cluster.home);
    try {
      return await copyCluster(client, cluster, { ...options, folder }, startedAt);
    } finally {
      await client.end();
    }
  } finally {
    await database.stop();
  }
}

async function claimFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const names = await readdir(folder);
  if (names.includes(INCOMPLETE_FILE)) {
    throw new BackupError(`${folder} holds an interrupted backup: delete the folder, or name another one`);
  }
  if (names.includes(MANIFEST_FILE)) throw new BackupError(`${folder} holds a backup already: name another folder`);
  if (names.length > 0) throw new BackupError(`${folder} is not empty: name another folder`);
  await writeFile(join(folder, INCOMPLETE_FILE), 'This backup has not been completed.\n', { mode: 0o600, flag: 'wx' });
}

async function connectSuperuser(home: string): Promise<pg.Client> {
  const url = await readSuperuserUrl(home);
  url.port = (await readUrl(home)).port;
  url.pathname = '/postgres';
  const client = new pg.Client({ connectionString: url.href, application_name: 'plumbline backup', keepAlive: true });
  // A lost connection is reported by the statement that uses it.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

interface ServerInfo {
  postgresVersion: string;
  systemIdentifier: string;
  tablespaces: string;
}

async function copyCluster(
  client: pg.Client,
  cluster: Cluster,
  { folder, dataFolder, productVersion, secretKey, log, onStart, signal }: BackupOptions,
  startedAt: Date,
): Promise<BackupManifest> {
  const { rows } = await client.query<ServerInfo>(
    `SELECT current_setting('server_version') AS "postgresVersion",
            (SELECT system_identifier::text FROM pg_control_system()) AS "systemIdentifier",
            (SELECT count(*) FROM pg_tablespace WHERE oid >= 16384) AS tablespaces`,
  );
  const { postgresVersion, systemIdentifier, tablespaces } = rows[0]!;
  if (tablespaces !== '0')
    throw new BackupError('The database has tablespaces of its own, which a backup does not follow');

  log('Waiting for a checkpoint of the database');
  // Retains the write-ahead log from here on. Temporary: it ends with the connection, also if this process is killed.
  await client.query('SELECT pg_create_physical_replication_slot($1, true, true)', [`plumbline_backup_${process.pid}`]);
  const began = await client.query<{ wal: string }>(
    'SELECT pg_walfile_name(pg_backup_start($1, fast => true)) AS wal',
    ['plumbline backup'],
  );
  const { folders, files } = await contentsOf(cluster.folder);
  const toCopy = sizeOf(files);
  await checkSpace(folder, toCopy + MIN_FREE_BYTES);
  const copied: BackupFile[] = [];
  const onBytes = onStart?.(toCopy);
  for (const path of ['postgres', CLUSTER, ...folders.map((name) => `${CLUSTER}/${name}`)]) {
    await mkdir(join(folder, path), { mode: 0o700 });
  }
  const copy = async (path: string): Promise<void> => {
    const done = await copyFile(join(dataFolder, path), join(folder, path), {
      ...(onBytes ? { onBytes } : {}),
      signal,
    }).catch((error: unknown) => {
      // The file was removed in the meantime; the write-ahead log contains this.
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw error;
    });
    if (done !== null) copied.push({ path, ...done });
  };
  const inCluster = (name: string): string => `${CLUSTER}/${name}`;
  await eachAtOnce(
    files.filter(({ name }) => name !== CONTROL_FILE),
    ({ name }) => copy(inCluster(name)),
  );
  copied.push(await writeBytes(folder, inCluster(CONTROL_FILE), await steadyBytes(join(cluster.folder, CONTROL_FILE))));

  // Before the call: data that is committed during the call may be after the end that it determines.
  const endedAt = new Date();
  const ended = await client.query<{ wal: string; label: string }>(
    'SELECT pg_walfile_name(lsn) AS wal, labelfile AS label FROM pg_backup_stop(wait_for_archive => false)',
  );
  const { wal: lastWal, label } = ended.rows[0]!;
  copied.push(await writeBytes(folder, inCluster('backup_label'), Buffer.from(label)));
  await eachAtOnce(await changesBetween(cluster.folder, began.rows[0]!.wal, lastWal), (name) =>
    copy(inCluster(`pg_wal/${name}`)),
  );
  for (const path of ADDRESSES) await copy(path);
  if (secretKey === 'included') await copy(SECRET_KEY_FILE);
  for (const path of [...folders.map(inCluster), CLUSTER, 'postgres']) await syncFolder(join(folder, path));
  const manifest: BackupManifest = {
    productVersion,
    postgresVersion,
    systemIdentifier,
    startedAt: startedAt.toISOString(),
    endedAt: endedAt.toISOString(),
    migrations: await migrationsOf(cluster.home),
    secretKey,
    folders: ['postgres', CLUSTER, ...folders.map(inCluster)],
    files: copied.sort((a, b) => (a.path < b.path ? -1 : 1)),
  };
  await writeManifest(folder, manifest);
  return manifest;
}

interface Contents {
  /** Parents first. */
  folders: string[];
  files: { name: string; bytes: number }[];
}

async function contentsOf(root: string, below = ''): Promise<Contents> {
  const found: Contents = { folders: [], files: [] };
  const entries = await readdir(join(root, below), { withFileTypes: true });
  for (const entry of entries) {
    const name = `${below}${entry.name}`;
    if (LEFT_OUT.test(name)) continue;
    if (entry.isDirectory()) {
      found.folders.push(name);
      const inner = EMPTIED.has(`${name}/`) ? await foldersOf(root, `${name}/`) : await contentsOf(root, `${name}/`);
      found.folders.push(...inner.folders);
      found.files.push(...inner.files);
    } else if (entry.isFile()) {
      const bytes = await stat(join(root, name)).then(
        ({ size }) => size,
        () => null,
      );
      if (bytes !== null) found.files.push({ name, bytes });
    }
  }
  return found;
}

/** Contents of a folder whose files are not copied: for `pg_wal`, the folders that PostgreSQL expects in it. */
async function foldersOf(root: string, below: string): Promise<Contents> {
  if (below !== 'pg_wal/') return { folders: [], files: [] };
  const entries = await readdir(join(root, below), { withFileTypes: true });
  return { folders: entries.filter((entry) => entry.isDirectory()).map((entry) => `${below}${entry.name}`), files: [] };
}

/** Names of the files of the write-ahead log from `first` to `last`, inclusive. */
async function changesBetween(cluster: string, first: string, last: string): Promise<string[]> {
  const names = (await readdir(join(cluster, 'pg_wal'))).filter((name) => /^[0-9A-F]{24}$/.test(name)).sort();
  const between = names.filter((name) => name >= first && name <= last);
  if (between[0] !== first || between.at(-1) !== last) {
    throw new BackupError(`The log of changes from ${first} to ${last} is not complete: make the backup again`);
  }
  return between;
}

/** The content of a file on which two successive reads agree: the server may be writing it at this moment. */
async function steadyBytes(path: string): Promise<Buffer> {
  let before = await readFile(path);
  for (;;) {
    await sleep(10);
    const now = await readFile(path);
    if (now.equals(before)) return now;
    before = now;
  }
}

async function writeBytes(folder: string, path: string, bytes: Buffer): Promise<BackupFile> {
  const file = await open(join(folder, path), 'wx', 0o600);
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
  return { path, bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
}

async function migrationsOf(home: string): Promise<string[]> {
  const url = await readSuperuserUrl(home);
  url.port = (await readUrl(home)).port;
  url.pathname = `/${DATABASE_NAME}`;
  const client = new pg.Client({ connectionString: url.href, application_name: 'plumbline backup' });
  client.on('error', () => undefined);
  await client.connect();
  try {
    const { rows: tables } = await client.query<{ found: boolean }>(
      `SELECT to_regclass('migrations') IS NOT NULL AS found`,
    );
    if (!tables[0]!.found) return [];
    const { rows } = await client.query<{ name: string }>('SELECT name FROM migrations ORDER BY id');
    return rows.map(({ name }) => name);
  } finally {
    await client.end();
  }
}
