import { resolve } from 'node:path';
import { diskSpaceOf } from '#libs/embedded-postgres';

export interface DiskSpace {
  folder: string;
  /** Bytes. */
  free: number;
  size: number;
}

/** Space of the file system with the data folder; null if there is no such folder, as with DATABASE_URL. */
export async function diskSpace(dataFolder: string): Promise<DiskSpace | null> {
  const folder = resolve(dataFolder);
  try {
    return { folder, ...(await diskSpaceOf(folder)) };
  } catch {
    return null;
  }
}
