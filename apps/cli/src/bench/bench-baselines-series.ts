import { existsSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { UsageError } from '../cli-error.js';
import { type Progress, startProgress } from '../progress.js';
import { type Terminal } from '../terminal.js';
import { type CsvFile, csvFilesIn } from './csv-folder.js';
import { type WindowedSeries } from './harder-series.js';
import { type ColumnOptions, type LabelledFile, readLabelledFile } from './labelled-folder.js';
import { type NabFile, nabFilesIn, readNabFile } from './nab-folder.js';

interface SetOf<Kind extends string, Series> {
  kind: Kind;
  name: string;
  series: Series[];
  rows: number;
  /** Files without a column of labels, which are omitted. */
  unlabelled: number;
}

/** The content of one folder. */
export type BenchSet = SetOf<'nab', WindowedSeries> | SetOf<'labelled', LabelledFile>;

type Folder = { path: string; name: string } & (
  { kind: 'nab'; files: NabFile[] } | { kind: 'labelled'; files: CsvFile[] }
);

/** A folder is a copy of NAB if it contains the labels of NAB. */
async function folderAt(path: string, terminal: Terminal): Promise<Folder> {
  const about = { path, name: basename(resolve(path)) };
  if (!existsSync(join(path, 'labels', 'combined_windows.json'))) {
    return { ...about, kind: 'labelled', files: await csvFilesIn(path) };
  }
  const { files, absent } = await nabFilesIn(path);
  if (absent.length > 0) {
    const subject = absent.length === 1 ? 'labelled file' : 'labelled files';
    const verb = absent.length === 1 ? 'is' : 'are';
    terminal.err(
      `${absent.length} ${subject} of ${path} ${verb} not there: not to be compared with published scores\n`,
    );
  }
  return { ...about, kind: 'nab', files };
}

function rowsOf(series: readonly { values: Float64Array }[]): number {
  return series.reduce((sum, { values }) => sum + values.length, 0);
}

async function readFolder(folder: Folder, columns: ColumnOptions, { advance }: Progress): Promise<BenchSet> {
  const { name } = folder;
  if (folder.kind === 'nab') {
    const series: WindowedSeries[] = [];
    for (const file of folder.files) series.push(await readNabFile(file, advance));
    return { kind: 'nab', name, series, rows: rowsOf(series), unlabelled: 0 };
  }
  const series: LabelledFile[] = [];
  for (const file of folder.files) {
    const read = await readLabelledFile(file, columns, advance);
    if (read) series.push(read);
  }
  if (series.length === 0) {
    throw new UsageError(
      `no file in ${folder.path} has a column of labels (label, anomaly, …), nor is it a copy of NAB with labels/combined_windows.json`,
    );
  }
  return { kind: 'labelled', name, series, rows: rowsOf(series), unlabelled: folder.files.length - series.length };
}

/** Reads whole folders into memory, because every model runs on the same rows. */
export async function readSets(
  paths: readonly string[],
  columns: ColumnOptions,
  terminal: Terminal,
): Promise<BenchSet[]> {
  const folders: Folder[] = [];
  for (const path of paths) folders.push(await folderAt(path, terminal));
  const bytes = folders.flatMap((folder): CsvFile[] => folder.files).reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  const progress = startProgress(terminal, 'Reading', bytes);
  try {
    const sets: BenchSet[] = [];
    for (const folder of folders) sets.push(await readFolder(folder, columns, progress));
    return sets;
  } finally {
    progress.stop();
  }
}
