import { statfs } from 'node:fs/promises';
import { resolve } from 'node:path';

export interface DiskSpace {
  folder: string;
  /** Bytes. */
  free: number;
  size: number;
}

/** Of the file system that holds the data folder; null where there is no such folder, as with DATABASE_URL. */
export async function diskSpace(dataFolder: string): Promise<DiskSpace | null> {
  const folder = resolve(dataFolder);
  try {
    const { bavail, blocks, bsize } = await statfs(folder);
    return { folder, free: bavail * bsize, size: blocks * bsize };
  } catch {
    return null;
  }
}
