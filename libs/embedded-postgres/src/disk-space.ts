import { statfs } from 'node:fs/promises';
import { BackupError } from './backup-manifest.js';

/** Space of a file system, in bytes. */
export interface DiskSpace {
  /** Available to programs that are not root. */
  free: number;
  size: number;
}

/**
 * Returns the space of the file system that contains the folder.
 * @throws the error of the system, `ENOENT` if there is no such folder
 */
export async function diskSpaceOf(folder: string): Promise<DiskSpace> {
  const { bavail, blocks, bsize } = await statfs(folder);
  return { free: bavail * bsize, size: blocks * bsize };
}

/** @throws BackupError unless the disk of the folder has more than this many bytes free */
export async function checkSpace(folder: string, bytes: number): Promise<void> {
  const { free } = await diskSpaceOf(folder);
  if (free > bytes) return;
  throw new BackupError(`The disk of ${folder} has ${megabytes(free)} free, and the backup needs ${megabytes(bytes)}`);
}

const megabytes = (bytes: number): string => `${Math.ceil(bytes / 1e6).toLocaleString('en')} MB`;
