import { type EventScore, type LabelledFigures, type NabFigures, type NabScore } from '#libs/evaluation';
import { benchTable, fixed } from './bench-output.js';

/** Results of one column of scores on one data set. */
interface ResultOf<Figures> {
  column: string;
  /** The column's own threshold. */
  threshold: number;
  figures: Figures;
  /** Seconds of the whole model, because all columns of a model come from one run. */
  seconds: number;
}

/** A data set and the results of every column on it. */
export type SetResult = { name: string; files: number; rows: number; unlabelled: number } & (
  { kind: 'nab'; results: ResultOf<NabFigures[]>[] } | { kind: 'labelled'; results: ResultOf<LabelledFigures>[] }
);

function pointsPerSecond(rows: number, seconds: number): number {
  return seconds === 0 ? 0 : Math.round(rows / seconds);
}

/** A measured speed is accurate to three digits at best. */
function speed(rows: number, seconds: number): number {
  return Number(pointsPerSecond(rows, seconds).toPrecision(3));
}

export function setTable(set: SetResult): string {
  if (set.kind === 'nab') {
    return benchTable(
      [
        set.name,
        'own threshold',
        'standard there',
        'standard swept',
        'threshold',
        'windows found',
        'false rows',
        'low FP swept',
        'low FN swept',
        'points/s',
      ],
      set.results.map(({ column, threshold, seconds, figures }) => {
        const [standard, lowFp, lowFn] = figures;
        const { swept } = standard!;
        return [
          column,
          fixed(threshold, 3),
          fixed(standard!.fixed.score, 2),
          fixed(swept.score, 2),
          fixed(swept.threshold, 3),
          `${swept.windowsFound}/${swept.windows}`,
          swept.falseAlarmRows,
          fixed(lowFp!.swept.score, 2),
          fixed(lowFn!.swept.score, 2),
          speed(set.rows, seconds),
        ];
      }),
    );
  }
  return benchTable(
    [
      set.name,
      'own threshold',
      'F1 there',
      'found',
      'false/10k rows',
      'F1 swept',
      'threshold',
      'F1 held out',
      'AUC-PR',
      'VUS-PR',
      'points/s',
    ],
    set.results.map(({ column, threshold, seconds, figures: { fixed: at, swept, heldOut, aucPr, vusPr } }) => [
      column,
      fixed(threshold, 3),
      fixed(at.f1, 3),
      `${at.found}/${at.events}`,
      fixed(at.falseAlarmsPer10kRows, 2),
      fixed(swept.f1, 3),
      fixed(swept.threshold, 3),
      fixed(heldOut, 3),
      fixed(aucPr, 3),
      fixed(vusPr, 3),
      speed(set.rows, seconds),
    ]),
  );
}

/** Without any alarm there is no threshold. */
function finite(threshold: number): number | null {
  return Number.isFinite(threshold) ? threshold : null;
}

function nabJson({ score, threshold, windowsFound, falseAlarmRows }: NabScore): object {
  return { score, threshold: finite(threshold), windows_found: windowsFound, false_alarm_rows: falseAlarmRows };
}

function eventJson(score: EventScore): object {
  return {
    f1: score.f1,
    threshold: finite(score.threshold),
    precision: score.precision,
    recall: score.recall,
    false_alarms_per_10k_rows: score.falseAlarmsPer10kRows,
    mean_delay_rows: score.meanDelayRows,
  };
}

function profileJson({ profile, fixed: at, swept, crossValidated }: NabFigures): object {
  return {
    profile: profile.name,
    at_threshold: nabJson(at),
    swept: nabJson(swept),
    cross_validated: crossValidated,
  };
}

function labelledJson({ fixed: at, swept, heldOut, aucPr, vusPr }: LabelledFigures): object {
  return { at_threshold: eventJson(at), swept: eventJson(swept), f1_held_out: heldOut, auc_pr: aucPr, vus_pr: vusPr };
}

export function setJson(set: SetResult): object {
  const { name, kind, files, rows, unlabelled } = set;
  const columns =
    set.kind === 'nab'
      ? set.results.map((result) => ({ result, figures: { profiles: result.figures.map(profileJson) } }))
      : set.results.map((result) => ({ result, figures: labelledJson(result.figures) }));
  return {
    data_set: name,
    kind,
    files,
    files_without_labels: unlabelled,
    rows,
    columns: columns.map(({ result: { column, threshold, seconds }, figures }) => ({
      column,
      threshold,
      seconds,
      points_per_second: pointsPerSecond(rows, seconds),
      ...figures,
    })),
  };
}
