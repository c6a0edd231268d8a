import {
  crossValidateNab,
  NAB_PROFILES,
  type NabScore,
  type NabSeries,
  scoreNab,
  sweepNab,
  type NabProfile,
} from '#libs/detection';
import { startProgress, type Terminal } from '../terminal.js';
import { benchTable, checkJsonTarget, fixed, handOver, type JsonTarget, runJson, runLine } from './bench-output.js';
import { DetectorRun } from './detector-run.js';
import { averaged, withoutStart } from './harder-series.js';
import { nabFilesIn, readNabFile } from './nab-folder.js';

export interface BenchNabOptions {
  json?: true | string;
  files?: true;
  threshold: number;
  /** Share of each file left out at its start; 0 for none. */
  cut: number;
  /** Rows averaged to one; 1 for none. */
  average: number;
}

interface ScoredFile extends NabSeries {
  name: string;
}

/** One profile over the whole corpus. */
interface ProfileResult {
  profile: NabProfile;
  fixed: NabScore;
  swept: NabScore;
  crossValidated: number;
}

async function scoreFiles(
  folder: string,
  options: BenchNabOptions,
  run: DetectorRun,
  terminal: Terminal,
): Promise<ScoredFile[]> {
  const { files, absent } = await nabFilesIn(folder);
  if (absent.length > 0) {
    const subject = absent.length === 1 ? 'labelled file is' : 'labelled files are';
    terminal.err(`${absent.length} ${subject} not there (${absent[0]!}): not to be compared with published scores\n`);
  }
  const progress = startProgress(
    terminal,
    'Scoring',
    files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
  );
  const scored: ScoredFile[] = [];
  try {
    for (const file of files) {
      const read = await readNabFile(file, progress.advance);
      const { timestamps, values, windows } = averaged(withoutStart(read, options.cut), options.average);
      scored.push({ name: file.name, windows, scores: run.score(timestamps, values) });
    }
  } finally {
    progress.stop();
  }
  return scored;
}

/** Files by the folder they are in: the data sets the benchmark is made of. */
function byDataSet(files: readonly ScoredFile[]): Map<string, ScoredFile[]> {
  const sets = new Map<string, ScoredFile[]>();
  for (const file of files) {
    const set = file.name.includes('/') ? file.name.slice(0, file.name.indexOf('/')) : '(top)';
    sets.set(set, [...(sets.get(set) ?? []), file]);
  }
  return sets;
}

function profileTable(results: readonly ProfileResult[], threshold: number): string {
  return benchTable(
    [
      'NAB profile',
      `at ${threshold}`,
      'windows found',
      'false rows',
      'swept',
      'threshold',
      'windows found',
      'false rows',
      'cross-validated',
    ],
    results.map(({ profile, fixed: at, swept, crossValidated }) => [
      profile.name,
      fixed(at.score, 2),
      `${at.windowsFound}/${at.windows}`,
      at.falseAlarmRows,
      fixed(swept.score, 2),
      fixed(swept.threshold, 3),
      `${swept.windowsFound}/${swept.windows}`,
      swept.falseAlarmRows,
      fixed(crossValidated, 2),
    ]),
  );
}

/** What the standard profile says of parts of the corpus, at the fixed threshold and at the corpus-wide swept one. */
function partsTable(
  label: string,
  parts: ReadonlyMap<string, readonly ScoredFile[]>,
  thresholds: [number, number],
): string {
  const rows = Array.from(parts, ([name, files]) => {
    const [at, swept] = thresholds.map((threshold) => scoreNab(files, threshold, NAB_PROFILES[0]));
    return [
      name,
      files.length,
      files.reduce((sum, { scores }) => sum + scores.length, 0),
      `${at!.windowsFound}/${at!.windows}`,
      at!.falseAlarmRows,
      `${swept!.windowsFound}/${swept!.windows}`,
      swept!.falseAlarmRows,
    ];
  });
  const [at, swept] = thresholds.map((threshold) => fixed(threshold, 3));
  return benchTable(
    [label, 'files', 'rows', `found at ${at!}`, 'false rows', `found at ${swept!}`, 'false rows'],
    rows,
  );
}

function scoreJson({ score, threshold, windowsFound, falseAlarmRows }: NabScore): object {
  return {
    score,
    // No detection at all has no threshold.
    threshold: Number.isFinite(threshold) ? threshold : null,
    windows_found: windowsFound,
    false_alarm_rows: falseAlarmRows,
  };
}

/** The command `bench nab`: the detector on the Numenta Anomaly Benchmark. */
export async function benchNab(folder: string, options: BenchNabOptions, terminal: Terminal): Promise<void> {
  const target: JsonTarget = options.json;
  checkJsonTarget(target);
  const run = new DetectorRun();
  const files = await scoreFiles(folder, options, run, terminal);
  const results = NAB_PROFILES.map((profile) => ({
    profile,
    fixed: scoreNab(files, options.threshold, profile),
    swept: sweepNab(files, profile),
    crossValidated: crossValidateNab(files, profile),
  }));

  const thresholds: [number, number] = [options.threshold, results[0]!.swept.threshold];
  const parts = [partsTable('data set', byDataSet(files), thresholds)];
  if (options.files) {
    parts.push(partsTable('file', new Map(files.map((file) => [file.name, [file]])), thresholds));
  }
  const json = {
    benchmark: 'nab',
    ...runJson(files.length, run),
    cut: options.cut,
    average: options.average,
    windows: results[0]!.fixed.windows,
    profiles: results.map(({ profile, fixed: at, swept, crossValidated }) => ({
      profile: profile.name,
      at_threshold: scoreJson(at),
      swept: scoreJson(swept),
      cross_validated: crossValidated,
    })),
    by_file: files.map((file) => ({
      file: file.name,
      rows: file.scores.length,
      windows: file.windows.length,
      at_threshold: scoreJson(scoreNab([file], thresholds[0], NAB_PROFILES[0])),
      at_swept_threshold: scoreJson(scoreNab([file], thresholds[1], NAB_PROFILES[0])),
    })),
  };
  const text = profileTable(results, options.threshold) + parts.join('') + runLine(files.length, run);
  await handOver(text, json, target, terminal);
}
