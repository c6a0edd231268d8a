import { nabNormalRows, type RangeScore, scoreExpectedRange } from '#libs/evaluation';
import { startProgress } from '../progress.js';
import { type Terminal } from '../terminal.js';
import { checkJsonTarget, writeResult, type JsonTarget, judgingBytes, runJson, runLine } from './bench-output.js';
import { DetectorRun } from './detector-run.js';
import { averaged, withoutStart } from './harder-series.js';
import { nabFilesIn, readNabFile } from './nab-folder.js';
import { columnJson, judgeNab, type NabColumn, type NabScoredFile, partsTable, profileTable } from './nab-report.js';
import { RANGE_NOTE, type RangeGroup, rangeJson, rangeTable } from './range-report.js';
import { SCORE_COLUMNS, scoresOf } from './score-columns.js';

export interface BenchNabOptions {
  json?: true | string;
  files?: true;
  threshold: number;
  /** Share of each file that is omitted at its start; 0 for none. */
  cut: number;
  /** Number of rows averaged into one; 1 for no averaging. */
  average: number;
}

interface BenchedFile extends NabScoredFile {
  rows: number;
  range: RangeScore;
}

/** Runs the detector on every file and judges its columns, with one progress bar for everything. */
async function benchFiles(
  folder: string,
  options: BenchNabOptions,
  run: DetectorRun,
  terminal: Terminal,
): Promise<{ files: BenchedFile[]; results: NabColumn[] }> {
  const { files: found, absent } = await nabFilesIn(folder);
  if (absent.length > 0) {
    const subject = absent.length === 1 ? 'labelled file is' : 'labelled files are';
    terminal.err(`${absent.length} ${subject} not there (${absent[0]!}): not to be compared with published scores\n`);
  }
  const bytes = found.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  const columnBytes = judgingBytes(bytes);
  const progress = startProgress(terminal, 'Scoring', bytes + SCORE_COLUMNS.length * columnBytes);
  const files: BenchedFile[] = [];
  try {
    for (const file of found) {
      const read = await readNabFile(file, progress.advance);
      const { timestamps, values, windows } = averaged(withoutStart(read, options.cut), options.average);
      const verdicts = run.detect(timestamps, values);
      const range = scoreExpectedRange(timestamps, verdicts, nabNormalRows(values.length, windows));
      files.push({ name: file.name, windows, scores: scoresOf(verdicts), range, rows: values.length });
    }
    const results = judgeNab(files, SCORE_COLUMNS, options.threshold, () => progress.advance(columnBytes));
    return { files, results };
  } finally {
    progress.stop();
  }
}

/** Files by their folder: the data sets of the benchmark. */
function byDataSet(files: readonly BenchedFile[]): Map<string, BenchedFile[]> {
  const sets = new Map<string, BenchedFile[]>();
  for (const file of files) {
    const set = file.name.includes('/') ? file.name.slice(0, file.name.indexOf('/')) : '(top)';
    sets.set(set, [...(sets.get(set) ?? []), file]);
  }
  return sets;
}

const rangesOf = (files: readonly BenchedFile[]): RangeScore[] => files.map(({ range }) => range);

/** The command `bench nab`: the detector on the Numenta Anomaly Benchmark. */
export async function benchNab(folder: string, options: BenchNabOptions, terminal: Terminal): Promise<void> {
  const target: JsonTarget = options.json;
  checkJsonTarget(target);
  const run = new DetectorRun();
  const { files, results } = await benchFiles(folder, options, run, terminal);

  const sets = byDataSet(files);
  const setRanges: RangeGroup[] = Array.from(sets, ([name, of]) => ({ name, ranges: rangesOf(of) }));
  const tables = [
    profileTable(results, options.threshold),
    partsTable('data set', sets, results),
    rangeTable('data set', [{ name: 'all', ranges: rangesOf(files) }, ...setRanges]),
    RANGE_NOTE,
  ];
  if (options.files) {
    const single = new Map(files.map((file) => [file.name, [file]]));
    tables.push(
      partsTable('file', single, results),
      rangeTable(
        'file',
        files.map(({ name, range }) => ({ name, ranges: [range] })),
      ),
    );
  }
  const json = {
    benchmark: 'nab',
    ...runJson(files.length, run),
    cut: options.cut,
    average: options.average,
    windows: results[0]!.profiles[0]!.fixed.windows,
    columns: results.map((result) => columnJson(files, result)),
    expected_range: {
      ...rangeJson(rangesOf(files)),
      data_sets: setRanges.map(({ name, ranges }) => ({ data_set: name, ...rangeJson(ranges) })),
    },
    by_file: files.map(({ name, rows, windows, range }) => ({
      file: name,
      rows,
      windows: windows.length,
      expected_range: rangeJson([range]),
    })),
  };
  await writeResult(tables.join('') + runLine(files.length, run), json, target, terminal);
}
