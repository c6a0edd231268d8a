import { basename, resolve } from 'node:path';
import { labelledNormalRows, type RangeScore, scoreExpectedRange } from '#libs/evaluation';
import { UsageError } from '../cli-error.js';
import { type Progress, startProgress } from '../progress.js';
import { type Terminal } from '../terminal.js';
import { checkJsonTarget, writeResult, type JsonTarget, judgingBytes, runJson, runLine } from './bench-output.js';
import { csvFilesIn, type CsvFile } from './csv-folder.js';
import { DetectorRun } from './detector-run.js';
import { type ColumnOptions, readLabelledFile } from './labelled-folder.js';
import {
  columnsJson,
  figuresTable,
  judgeLabelled,
  type LabelledColumn,
  type LabelledScoredFile,
} from './labelled-report.js';
import { RANGE_NOTE, rangeJson, rangeTable } from './range-report.js';
import { LABELLED_COLUMNS, scoresOf } from './score-columns.js';

export interface BenchLabelledOptions extends ColumnOptions {
  json?: true | string;
  files?: true;
  threshold: number;
  budget?: number;
}

interface BenchedFile extends LabelledScoredFile {
  range: RangeScore;
  /** Figures of this file alone; empty unless requested. */
  results: LabelledColumn[];
}

/** The files of one folder. */
interface DataSet {
  name: string;
  files: BenchedFile[];
  /** Files without a column of labels. */
  unlabelled: number;
  results: LabelledColumn[];
}

interface Folder {
  path: string;
  files: CsvFile[];
  bytes: number;
}

async function foldersAt(paths: readonly string[]): Promise<Folder[]> {
  return Promise.all(
    paths.map(async (path) => {
      const files = await csvFilesIn(path);
      return { path, files, bytes: files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) };
    }),
  );
}

async function benchFolder(
  folder: Folder,
  options: BenchLabelledOptions,
  run: DetectorRun,
  progress: Progress,
): Promise<DataSet> {
  const set: DataSet = { name: basename(resolve(folder.path)), files: [], unlabelled: 0, results: [] };
  // Per-file figures are computed only if they are shown.
  const isByFile = options.files === true || options.json !== undefined;
  for (const file of folder.files) {
    const series = await readLabelledFile(file, options, progress.advance);
    if (series === null) {
      set.unlabelled += 1;
      continue;
    }
    const { timestamps, values, labels, pace } = series;
    const verdicts = run.detect(timestamps, values);
    const range = scoreExpectedRange(timestamps, verdicts, labelledNormalRows(labels, pace));
    const scored = { name: file.name, labels, pace, scores: scoresOf(verdicts) };
    const results = isByFile
      ? judgeLabelled(`${set.name}/${file.name}`, [scored], LABELLED_COLUMNS, options.threshold)
      : [];
    set.files.push({ ...scored, range, results });
  }
  if (set.files.length === 0) {
    throw new UsageError(`no file in ${folder.path} has a column of labels (label, anomaly, …)`);
  }
  const columnBytes = judgingBytes(folder.bytes);
  set.results = judgeLabelled(set.name, set.files, LABELLED_COLUMNS, options.threshold, () =>
    progress.advance(columnBytes),
  );
  return set;
}

/** The command `bench labelled`: the detector on folders of series with one label per row. */
export async function benchLabelled(
  paths: readonly string[],
  options: BenchLabelledOptions,
  terminal: Terminal,
): Promise<void> {
  const target: JsonTarget = options.json;
  checkJsonTarget(target);
  const run = new DetectorRun(options.budget);
  const folders = await foldersAt(paths);
  const work = folders.reduce((sum, { bytes }) => sum + bytes + LABELLED_COLUMNS.length * judgingBytes(bytes), 0);
  const progress = startProgress(terminal, 'Scoring', work);
  const sets: DataSet[] = [];
  try {
    for (const folder of folders) sets.push(await benchFolder(folder, options, run, progress));
  } finally {
    progress.stop();
  }

  const { threshold } = options;
  const files = sets.flatMap((set) => set.files);
  const tables = [
    figuresTable(
      'data set',
      threshold,
      sets.flatMap(({ results }) => results),
    ),
    rangeTable(
      'data set',
      sets.map((set) => ({ name: set.name, ranges: set.files.map(({ range }) => range) })),
    ),
    RANGE_NOTE,
  ];
  if (options.files) {
    tables.push(
      figuresTable(
        'file',
        threshold,
        files.flatMap(({ results }) => results),
      ),
      rangeTable(
        'file',
        files.map(({ results, range }) => ({ name: results[0]!.name, ranges: [range] })),
      ),
    );
  }
  const unlabelled = sets.reduce((sum, set) => sum + set.unlabelled, 0);
  const leftOut =
    unlabelled === 0 ? '' : `${unlabelled} ${unlabelled === 1 ? 'file has' : 'files have'} no labels: left out\n`;
  const json = {
    benchmark: 'labelled',
    ...runJson(files.length, run),
    data_sets: sets.map((set) => ({
      data_set: set.name,
      files: set.files.length,
      files_without_labels: set.unlabelled,
      ...columnsJson(set.results),
      expected_range: rangeJson(set.files.map(({ range }) => range)),
      by_file: set.files.map(({ name, results, range }) => ({
        file: name,
        ...columnsJson(results),
        expected_range: rangeJson([range]),
      })),
    })),
  };
  await writeResult(tables.join('') + runLine(files.length, run) + leftOut, json, target, terminal);
}
