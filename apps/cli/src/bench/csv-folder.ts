import { readdir, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { UsageError } from '../cli-error.js';
import { reasonOf } from '../csv/open-input.js';

/** A CSV file in a folder. */
export interface CsvFile {
  path: string;
  /** Path within the folder, with forward slashes on every system. */
  name: string;
  sizeBytes: number;
}

/** The CSV files of a folder and its subfolders, by name. A folder without CSV files is invalid input. */
export async function csvFilesIn(folder: string): Promise<CsvFile[]> {
  let entries;
  try {
    entries = await readdir(folder, { recursive: true, withFileTypes: true });
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code === 'ENOTDIR' ? 'it is not a folder' : reasonOf(error);
    throw new UsageError(`${folder} cannot be read: ${reason}`);
  }
  const paths = entries
    .filter((entry) => entry.isFile() && entry.name.toLowerCase().endsWith('.csv'))
    .map((entry) => join(entry.parentPath, entry.name));
  if (paths.length === 0) throw new UsageError(`${folder} holds no CSV file`);
  const files = await Promise.all(
    paths.map(async (path) => ({
      path,
      name: relative(folder, path).split(sep).join('/'),
      sizeBytes: (await stat(path)).size,
    })),
  );
  return files.sort((a, b) => (a.name < b.name ? -1 : 1));
}
