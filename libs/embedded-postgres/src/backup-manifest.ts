import { createHash } from 'node:crypto';
import { open, readFile, rename, rm, stat } from 'node:fs/promises';
import { join, normalize, sep } from 'node:path';

/** The list of a complete backup. It is written last: a folder without it contains no backup that can be restored. */
export const MANIFEST_FILE = 'plumbline-backup.json';

/** Exists in the folder from the first file until the manifest is written. */
export const INCOMPLETE_FILE = 'plumbline-backup.incomplete';

export const SECRET_KEY_FILE = 'secret.key';

const FORMAT = 1;

/** A file of the backup, as it is in the folder. */
export interface BackupFile {
  /** Below the folder of the backup, with `/`. */
  path: string;
  bytes: number;
  /** Hexadecimal. */
  sha256: string;
}

export interface BackupManifest {
  /** Version of the product that created the backup. */
  productVersion: string;
  /** As PostgreSQL reports it: `18.4`. */
  postgresVersion: string;
  /** Identifier of the cluster: the same for all backups of an installation. */
  systemIdentifier: string;
  /** ISO 8601, UTC. Data that was acknowledged before `endedAt` is in the backup. */
  startedAt: string;
  endedAt: string;
  /** Migrations of the product's database, oldest first. */
  migrations: readonly string[];
  /** `environment`: the key is a setting, not a file. `omitted`: the backup was created without it. */
  secretKey: 'included' | 'left out' | 'environment';
  /** Folders below the folder of the backup, parents first. */
  folders: readonly string[];
  files: readonly BackupFile[];
}

/** The folder contains no backup that can be restored; the message states the reason and what to do. */
export class BackupError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}

export async function writeManifest(folder: string, manifest: BackupManifest): Promise<void> {
  const draft = join(folder, `${MANIFEST_FILE}.new`);
  const file = await open(draft, 'w', 0o600);
  try {
    const content = { format: FORMAT, ...manifest };
    await file.writeFile(`${JSON.stringify({ ...content, checksum: checksumOf(content) }, null, 1)}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(draft, join(folder, MANIFEST_FILE));
  await rm(join(folder, INCOMPLETE_FILE), { force: true });
  await syncFolder(folder);
}

/**
 * @throws BackupError for a folder without a backup, and for one that was interrupted, damaged or created by a later
 *   version
 */
export async function readManifest(folder: string): Promise<BackupManifest> {
  let text: string;
  try {
    text = await readFile(join(folder, MANIFEST_FILE), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    const isIncomplete = await exists(join(folder, INCOMPLETE_FILE));
    throw new BackupError(
      isIncomplete
        ? `The backup in ${folder} was interrupted and cannot be restored: delete the folder, and use another backup`
        : `${folder} holds no backup: ${MANIFEST_FILE} is missing`,
      { cause: error },
    );
  }
  const damaged = `${join(folder, MANIFEST_FILE)} is damaged: use another backup`;
  let content: BackupManifest & { format: number; checksum: string };
  try {
    content = JSON.parse(text) as typeof content;
  } catch (error) {
    throw new BackupError(damaged, { cause: error });
  }
  const { checksum, ...listed } = content;
  const { format, ...rest } = listed;
  if (format > FORMAT) {
    throw new BackupError(
      `The backup in ${folder} was made by Plumbline ${rest.productVersion}, whose backups this version does not know: ` +
        'restore it with that version or a newer one',
    );
  }
  if (checksum !== checksumOf(listed)) throw new BackupError(damaged);
  for (const path of [...rest.folders, ...rest.files.map((file) => file.path)]) {
    if (!isInside(path)) throw new BackupError(`${damaged} (${JSON.stringify(path)} leads out of it)`);
  }
  return rest;
}

/** Bytes of all files. */
export function sizeOf(files: readonly Pick<BackupFile, 'bytes'>[]): number {
  return files.reduce((sum, { bytes }) => sum + bytes, 0);
}

export async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

/** Makes the entries of a folder survive a power failure. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path);
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

function checksumOf(content: object): string {
  return createHash('sha256').update(JSON.stringify(content)).digest('hex');
}

function isInside(path: string): boolean {
  const plain = normalize(path);
  return plain !== '' && plain !== '.' && !plain.startsWith('..') && !plain.startsWith(sep);
}
