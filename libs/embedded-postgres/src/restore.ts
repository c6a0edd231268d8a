import { createHash } from 'node:crypto';
import { chmod, chown, mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import {
  BackupError,
  type BackupFile,
  type BackupManifest,
  exists,
  readManifest,
  SECRET_KEY_FILE,
  sizeOf,
  syncFolder,
} from './backup-manifest.js';
import { findBinaries, isOfAbandoned, removeAbandoned, versionOf } from './cluster.js';
import { copyFile, eachAtOnce } from './copy-file.js';
import { checkSpace } from './disk-space.js';
import { chooseUser } from './program-account.js';

export interface RestoreOptions {
  /** Folder of the backup. */
  folder: string;
  /** Created if it does not exist; must be empty. */
  dataFolder: string;
  /** Migrations that this version of the product knows. */
  migrations: readonly string[];
  log: (line: string) => void;
  onStart?: (bytes: number) => (bytes: number) => void;
  signal?: AbortSignal;
}

const PLACE = 'postgres';

/**
 * Restores a backup of `backUpEmbeddedPostgres` into an empty data folder; the next start of the product recovers the
 * database from it. Each file is checked while it is copied, and the database appears completely or not at all: a
 * restore that was interrupted can be repeated.
 * @throws BackupError if the folder contains no usable backup, or the data folder is not empty
 */
export async function restoreEmbeddedPostgres(options: RestoreOptions): Promise<BackupManifest> {
  const folder = resolve(options.folder);
  const dataFolder = resolve(options.dataFolder);
  const { log, signal } = options;
  const manifest = await readManifest(folder);
  checkVersions(manifest, options.migrations);
  await mkdir(dataFolder, { recursive: true });
  const key = manifest.files.find(({ path }) => path === SECRET_KEY_FILE);
  await checkEmpty(dataFolder, key);
  await removeAbandoned(dataFolder);
  const size = sizeOf(manifest.files);
  await checkSpace(dataFolder, size);
  log(`Restoring ${manifest.files.length} files`);
  const home = join(dataFolder, `${PLACE}.new-${process.pid}`);
  try {
    await copyAll(folder, home, manifest, { onBytes: options.onStart?.(size), signal });
    // Before the database: without its key, it would get a new one at its start.
    if (key) await restoreKey(folder, dataFolder, key);
    await rename(home, join(dataFolder, PLACE));
    await syncFolder(dataFolder);
  } finally {
    await rm(home, { recursive: true, force: true });
  }
  return manifest;
}

function checkVersions(
  { productVersion, postgresVersion, migrations }: BackupManifest,
  known: readonly string[],
): void {
  const ours = versionOf(findBinaries());
  const [theirMajor, ourMajor] = [postgresVersion, ours].map((version) => /^\d+/.exec(version)?.[0]);
  if (theirMajor !== ourMajor) {
    throw new BackupError(
      `The backup contains files of PostgreSQL ${postgresVersion}; this version of Plumbline brings PostgreSQL ${ours}. ` +
        `Restore it with Plumbline ${productVersion}, which made it, then follow docs/guide/upgrading.md`,
    );
  }
  const names = new Set(known);
  const unknown = migrations.filter((name) => !names.has(name));
  if (unknown.length > 0) {
    // After a downgrade, the version that created the backup may not know them either.
    throw new BackupError(
      `The database in the backup, which Plumbline ${productVersion} made, was migrated by a newer version than this one ` +
        `(${unknown.join(', ')}): restore it with that newer version, or a later one`,
    );
  }
}

/** Ignores files that an earlier, interrupted restore of the same backup has left. */
async function checkEmpty(dataFolder: string, key: BackupFile | undefined): Promise<void> {
  const left: string[] = [];
  for (const name of await readdir(dataFolder)) {
    if (isOfAbandoned(name)) continue;
    const isOurKey = name === SECRET_KEY_FILE && (await checksumOf(join(dataFolder, name))) === key?.sha256;
    if (!isOurKey) left.push(name);
  }
  if (left.length === 0) return;
  throw new BackupError(
    `The data folder ${dataFolder} is not empty (${left.sort().slice(0, 3).join(', ')}): a backup is restored into an ` +
      'empty one only. Set PLUMBLINE_DATA to a new folder, or stop Plumbline and move what is there away',
  );
}

async function copyAll(
  folder: string,
  home: string,
  manifest: BackupManifest,
  { onBytes, signal }: { onBytes: ((bytes: number) => void) | undefined; signal: AbortSignal | undefined },
): Promise<void> {
  const inHome = (path: string): string => join(home, path.slice(PLACE.length));
  const cluster = join(home, 'cluster');
  const folders = manifest.folders.filter((path) => path.startsWith(`${PLACE}/`));
  await mkdir(home);
  // PostgreSQL may run as another user.
  await chmod(home, 0o711);
  for (const path of folders) await mkdir(inHome(path), { mode: 0o700 });
  const user = await chooseUser(cluster);
  const files = manifest.files.filter(({ path }) => path.startsWith(`${PLACE}/`));
  await eachAtOnce(files, async (file) => {
    const to = inHome(file.path);
    const owner = to.startsWith(cluster) ? user : null;
    checkCopy(file, await copyChecked(join(folder, file.path), to, { owner, ...(onBytes ? { onBytes } : {}), signal }));
  });
  for (const path of [...folders].reverse()) {
    if (user && inHome(path).startsWith(cluster)) await chown(inHome(path), user.uid, user.gid);
    await syncFolder(inHome(path));
  }
}

async function copyChecked(...args: Parameters<typeof copyFile>): ReturnType<typeof copyFile> {
  try {
    return await copyFile(...args);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    throw new BackupError(`${args[0]} is missing: the backup is damaged, use another one`, { cause: error });
  }
}

function checkCopy(file: BackupFile, copied: Omit<BackupFile, 'path'>): void {
  if (copied.bytes === file.bytes && copied.sha256 === file.sha256) return;
  throw new BackupError(`${file.path} is not what was backed up: the backup is damaged, use another one`);
}

async function restoreKey(folder: string, dataFolder: string, key: BackupFile): Promise<void> {
  const to = join(dataFolder, SECRET_KEY_FILE);
  if (await exists(to)) return;
  const draft = `${to}.restored`;
  await rm(draft, { force: true });
  checkCopy(key, await copyChecked(join(folder, SECRET_KEY_FILE), draft, { owner: await ownerOf(dataFolder) }));
  await rename(draft, to);
}

/** If root restores, the key belongs to the owner of the folder. */
async function ownerOf(dataFolder: string): Promise<{ uid: number; gid: number } | null> {
  return process.getuid?.() === 0 ? stat(dataFolder) : null;
}

async function checksumOf(path: string): Promise<string> {
  return createHash('sha256')
    .update(await readFile(path))
    .digest('hex');
}
