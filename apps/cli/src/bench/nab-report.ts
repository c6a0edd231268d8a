import { nabFigures, type NabFigures, type NabScore, type NabSeries, type RowRange, scoreNab } from '#libs/evaluation';
import { benchTable, fixed } from './bench-output.js';
import { columnOf, type ScoredSeries } from './score-columns.js';

/** A file of the corpus with its windows and columns of scores. */
export interface NabScoredFile extends ScoredSeries {
  windows: readonly RowRange[];
}

/** Results of one column of scores on the whole corpus. */
export interface NabColumn {
  column: string;
  /** One per profile, the standard profile first. */
  profiles: NabFigures[];
}

function corpusOf(files: readonly NabScoredFile[], column: string): NabSeries[] {
  return files.map((file) => ({ scores: columnOf(file, column), windows: file.windows }));
}

/** Judges columns sequentially; `threshold` is the shipped one. */
export function judgeNab(
  files: readonly NabScoredFile[],
  columns: readonly string[],
  threshold: number,
  onColumn: () => void = () => undefined,
): NabColumn[] {
  return columns.map((column) => {
    const profiles = nabFigures(corpusOf(files, column), threshold);
    onColumn();
    return { column, profiles };
  });
}

export function profileTable(results: readonly NabColumn[], threshold: number): string {
  return benchTable(
    [
      'column',
      'NAB profile',
      `at ${threshold}`,
      'windows found',
      'false rows',
      'swept',
      'threshold',
      'windows found',
      'false rows',
      `loss of ${threshold}`,
      'cross-validated',
    ],
    results.flatMap(({ column, profiles }) =>
      profiles.map(({ profile, fixed: at, swept, thresholdLoss, crossValidated }) => [
        column,
        profile.name,
        fixed(at.score, 2),
        `${at.windowsFound}/${at.windows}`,
        at.falseAlarmRows,
        fixed(swept.score, 2),
        fixed(swept.threshold, 3),
        `${swept.windowsFound}/${swept.windows}`,
        swept.falseAlarmRows,
        fixed(thresholdLoss, 2),
        fixed(crossValidated, 2),
      ]),
    ),
    2,
  );
}

/** Scores of some files at the fixed threshold of a column and at its best one for the corpus; standard profile. */
function partScores(
  files: readonly NabScoredFile[],
  { column, profiles }: NabColumn,
): { at: NabScore; swept: NabScore } {
  const { profile, fixed: at, swept } = profiles[0]!;
  const corpus = corpusOf(files, column);
  return { at: scoreNab(corpus, at.threshold, profile), swept: scoreNab(corpus, swept.threshold, profile) };
}

/** The scores of parts of the corpus for the standard profile, one line per part and column. */
export function partsTable(
  label: string,
  parts: ReadonlyMap<string, readonly NabScoredFile[]>,
  results: readonly NabColumn[],
): string {
  const threshold = results[0]?.profiles[0]?.fixed.threshold ?? 0;
  return benchTable(
    [label, 'column', 'files', 'rows', `found at ${threshold}`, 'false rows', 'found at swept', 'false rows'],
    Array.from(parts).flatMap(([name, files]) =>
      results.map((result) => {
        const { at, swept } = partScores(files, result);
        return [
          name,
          result.column,
          files.length,
          files.reduce((sum, file) => sum + columnOf(file, result.column).length, 0),
          `${at.windowsFound}/${at.windows}`,
          at.falseAlarmRows,
          `${swept.windowsFound}/${swept.windows}`,
          swept.falseAlarmRows,
        ];
      }),
    ),
    2,
  );
}

function scoreJson({ score, threshold, windowsFound, falseAlarmRows }: NabScore): object {
  return {
    score,
    // Without any detection there is no threshold.
    threshold: Number.isFinite(threshold) ? threshold : null,
    windows_found: windowsFound,
    false_alarm_rows: falseAlarmRows,
  };
}

export function columnJson(files: readonly NabScoredFile[], result: NabColumn): object {
  return {
    column: result.column,
    profiles: result.profiles.map(({ profile, fixed: at, swept, thresholdLoss, crossValidated }) => ({
      profile: profile.name,
      at_threshold: scoreJson(at),
      swept: scoreJson(swept),
      threshold_loss: thresholdLoss,
      cross_validated: crossValidated,
    })),
    by_file: files.map((file) => {
      const { at, swept } = partScores([file], result);
      return { file: file.name, at_threshold: scoreJson(at), at_swept_threshold: scoreJson(swept) };
    }),
  };
}
