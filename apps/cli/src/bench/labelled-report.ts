import {
  type EventScore,
  labelledFigures,
  type LabelledFigures,
  type LabelledSeries,
  type SeriesPace,
} from '#libs/evaluation';
import { benchTable, fixed } from './bench-output.js';
import { columnOf, type ScoredSeries } from './score-columns.js';

/** A series with one label per row, and columns of scores. */
export interface LabelledScoredFile extends ScoredSeries {
  labels: Uint8Array;
  pace: SeriesPace;
}

/** Results of one column of scores on the files of a data set, or on one file. */
export interface LabelledColumn {
  name: string;
  column: string;
  files: number;
  figures: LabelledFigures;
}

/** Judges the columns of files that belong together; `threshold` is the shipped one. */
export function judgeLabelled(
  name: string,
  files: readonly LabelledScoredFile[],
  columns: readonly string[],
  threshold: number,
  onColumn: () => void = () => undefined,
): LabelledColumn[] {
  return columns.map((column) => {
    const set = files.map((file): LabelledSeries => ({ ...file, scores: columnOf(file, column) }));
    const figures = labelledFigures(set, threshold);
    onColumn();
    return { name, column, files: files.length, figures };
  });
}

export function figuresTable(label: string, threshold: number, results: readonly LabelledColumn[]): string {
  return benchTable(
    [
      label,
      'column',
      'files',
      'rows',
      `F1 at ${threshold}`,
      'precision',
      'found',
      'false/10k rows',
      'delay, rows',
      'F1 swept',
      'threshold',
      'precision',
      'found',
      `loss of ${threshold}`,
      'F1 held out',
      'AUC-PR',
      'VUS-PR',
    ],
    results.map(({ name, column, files, figures: { fixed: at, swept, thresholdLoss, heldOut, aucPr, vusPr } }) => [
      name,
      column,
      files,
      at.rows,
      fixed(at.f1, 3),
      fixed(at.precision, 3),
      `${at.found}/${at.events}`,
      fixed(at.falseAlarmsPer10kRows, 2),
      fixed(at.meanDelayRows, 1),
      fixed(swept.f1, 3),
      fixed(swept.threshold, 3),
      fixed(swept.precision, 3),
      `${swept.found}/${swept.events}`,
      fixed(thresholdLoss, 3),
      fixed(heldOut, 3),
      fixed(aucPr, 3),
      fixed(vusPr, 3),
    ]),
    2,
  );
}

function scoreJson(score: EventScore): object {
  return {
    f1: score.f1,
    // Without any alarm there is no threshold.
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

export function columnsJson(results: readonly LabelledColumn[]): object {
  return {
    judged_rows: results[0]?.figures.fixed.rows,
    columns: results.map(({ column, figures: { fixed: at, swept, thresholdLoss, heldOut, aucPr, vusPr } }) => ({
      column,
      at_threshold: scoreJson(at),
      swept: scoreJson(swept),
      threshold_loss: thresholdLoss,
      f1_held_out: heldOut,
      auc_pr: aucPr,
      vus_pr: vusPr,
    })),
  };
}
