import { basename, resolve } from 'node:path';
import {
  areaUnderPr,
  type EventScore,
  type LabelledSeries,
  scoreEvents,
  sweepEvents,
  volumeUnderPr,
  withoutWarmUp,
} from '#libs/detection';
import { UsageError } from '../cli-error.js';
import { startProgress, type Terminal } from '../terminal.js';
import { benchTable, checkJsonTarget, fixed, handOver, type JsonTarget, runJson, runLine } from './bench-output.js';
import { csvFilesIn } from './csv-folder.js';
import { DetectorRun } from './detector-run.js';
import { type ColumnOptions, readLabelledFile } from './labelled-folder.js';

export interface BenchLabelledOptions extends ColumnOptions {
  json?: true | string;
  files?: true;
  threshold: number;
}

interface ScoredFile extends LabelledSeries {
  name: string;
}

/** The files of one folder. */
interface DataSet {
  name: string;
  files: ScoredFile[];
  /** Files without a column of labels. */
  unlabelled: number;
}

/** What is measured of a data set, or of one file. */
interface Figures {
  at: EventScore;
  swept: EventScore;
  /** Means over the series that have events; null when none has. */
  aucPr: number | null;
  vusPr: number | null;
}

function meanOf(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length;
}

async function scoreFolders(
  folders: readonly string[],
  options: BenchLabelledOptions,
  run: DetectorRun,
  terminal: Terminal,
): Promise<DataSet[]> {
  const found = await Promise.all(folders.map(async (folder) => ({ folder, files: await csvFilesIn(folder) })));
  const progress = startProgress(
    terminal,
    'Scoring',
    found.flatMap(({ files }) => files).reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
  );
  const sets: DataSet[] = [];
  try {
    for (const { folder, files } of found) {
      const set: DataSet = { name: basename(resolve(folder)), files: [], unlabelled: 0 };
      for (const file of files) {
        const series = await readLabelledFile(file, options, progress.advance);
        if (series === null) {
          set.unlabelled += 1;
          continue;
        }
        const { timestamps, values, labels, pace } = series;
        set.files.push({ name: file.name, labels, pace, scores: run.score(timestamps, values) });
      }
      if (set.files.length === 0)
        throw new UsageError(`no file in ${folder} has a column of labels (label, anomaly, …)`);
      sets.push(set);
    }
  } finally {
    progress.stop();
  }
  return sets;
}

function figuresOf(files: readonly ScoredFile[], threshold: number): Figures {
  const judged = files.map(withoutWarmUp);
  return {
    at: scoreEvents(files, threshold),
    swept: sweepEvents(files, [threshold]),
    aucPr: meanOf(judged.map(({ scores, labels }) => areaUnderPr(scores, labels))),
    vusPr: meanOf(judged.map(({ scores, labels, pace }) => volumeUnderPr(scores, labels, pace.vusRows))),
  };
}

function figuresTable(
  label: string,
  threshold: number,
  rows: readonly { name: string; files: readonly ScoredFile[]; figures: Figures }[],
): string {
  return benchTable(
    [
      label,
      'files',
      'rows',
      `F1 at ${threshold}`,
      'precision',
      'found',
      'false/10k rows',
      'delay, rows',
      'F1 swept',
      'threshold',
      'AUC-PR',
      'VUS-PR',
    ],
    rows.map(({ name, files, figures: { at, swept, aucPr, vusPr } }) => [
      name,
      files.length,
      at.rows,
      fixed(at.f1, 3),
      fixed(at.precision, 3),
      `${at.found}/${at.events}`,
      fixed(at.falseAlarmsPer10kRows, 2),
      fixed(at.meanDelayRows, 1),
      fixed(swept.f1, 3),
      fixed(swept.threshold, 3),
      fixed(aucPr, 3),
      fixed(vusPr, 3),
    ]),
  );
}

function scoreJson(score: EventScore): object {
  return {
    f1: score.f1,
    // No alarm at all has no threshold.
    threshold: Number.isFinite(score.threshold) ? score.threshold : null,
    precision: score.precision,
    recall: score.recall,
    events: score.events,
    found: score.found,
    alarms: score.alarms,
    false_alarms: score.falseAlarms,
    false_alarms_per_10k_rows: score.falseAlarmsPer10kRows,
    mean_delay_rows: score.meanDelayRows,
  };
}

function figuresJson({ at, swept, aucPr, vusPr }: Figures): object {
  return {
    judged_rows: at.rows,
    at_threshold: scoreJson(at),
    swept: scoreJson(swept),
    auc_pr: aucPr,
    vus_pr: vusPr,
  };
}

/** The command `bench labelled`: the detector on folders of series with a label per row. */
export async function benchLabelled(
  folders: readonly string[],
  options: BenchLabelledOptions,
  terminal: Terminal,
): Promise<void> {
  const target: JsonTarget = options.json;
  checkJsonTarget(target);
  const run = new DetectorRun();
  const sets = await scoreFolders(folders, options, run, terminal);
  const { threshold } = options;
  const results = sets.map((set) => ({ ...set, figures: figuresOf(set.files, threshold) }));
  // Per-file figures are worth their time only where they are shown.
  const isByFile = options.files === true || target !== undefined;
  const byFile = isByFile
    ? sets.flatMap((set) =>
        set.files.map((file) => ({
          set: set.name,
          name: `${set.name}/${file.name}`,
          files: [file],
          figures: figuresOf([file], threshold),
        })),
      )
    : [];

  const files = sets.reduce((sum, set) => sum + set.files.length, 0);
  const unlabelled = sets.reduce((sum, set) => sum + set.unlabelled, 0);
  const text =
    figuresTable('data set', threshold, results) +
    (options.files ? figuresTable('file', threshold, byFile) : '') +
    runLine(files, run) +
    (unlabelled === 0 ? '' : `${unlabelled} ${unlabelled === 1 ? 'file has' : 'files have'} no labels: left out\n`);
  const json = {
    benchmark: 'labelled',
    ...runJson(files, run),
    data_sets: results.map((set) => ({
      data_set: set.name,
      files: set.files.length,
      files_without_labels: set.unlabelled,
      ...figuresJson(set.figures),
      by_file: byFile
        .filter((file) => file.set === set.name)
        .map((file) => ({ file: file.files[0]!.name, ...figuresJson(file.figures) })),
    })),
  };
  await handOver(text, json, target, terminal);
}
