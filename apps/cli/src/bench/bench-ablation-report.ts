import { type LevelFigure } from '#libs/evaluation';
import { type BenchSet } from './bench-baselines-series.js';
import { benchTable, fixed } from './bench-output.js';

/** One figure: the result on a data set by one measure. */
export interface Measure {
  /** `nab standard`, `kpi F1` */
  name: string;
  digits: number;
  figure: LevelFigure;
}

/** One line of a table: its subject and its figures. */
export interface MeasuredLine {
  name: string;
  measures: Measure[];
}

/** The result of a selection on files that did not influence it, for one profile. */
export interface ChoiceFigure {
  profile: string;
  /** Scores of the repetitions. */
  scores: number[];
  /** How often each set of components was selected, most frequent first. */
  chosen: { components: string; times: number }[];
}

export interface ChoiceResult {
  /** The selected components. */
  name: string;
  figures: ChoiceFigure[];
}

export interface AblationResult {
  sets: readonly BenchSet[];
  channels: { column: string; lines: MeasuredLine[] }[];
  /** Additional results for the sets that are copies of NAB. */
  corpora: { name: string; choices: ChoiceResult[]; changed: MeasuredLine[] }[];
}

/** One line per variant, two columns per measure: at the shipped level and at the best level. */
function measuresTable(label: string, lines: readonly MeasuredLine[]): string {
  return benchTable(
    [label, ...lines[0]!.measures.flatMap(({ name }) => [name, 'best'])],
    lines.map(({ name, measures }) => [
      name,
      ...measures.flatMap(({ digits, figure }) => [fixed(figure.atShipped, digits), fixed(figure.best, digits)]),
    ]),
  );
}

function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, one) => sum + one, 0) / numbers.length;
}

function choicesTable(label: string, choices: readonly ChoiceResult[]): string {
  return benchTable(
    [label, 'NAB profile', 'most often', 'times', 'mean', 'least', 'most'],
    choices.flatMap(({ name, figures }) =>
      figures.map(({ profile, scores, chosen }) => [
        name,
        profile,
        chosen[0]!.components,
        `${chosen[0]!.times}/${chosen.reduce((sum, { times }) => sum + times, 0)}`,
        fixed(mean(scores), 2),
        fixed(Math.min(...scores), 2),
        fixed(Math.max(...scores), 2),
      ]),
    ),
    3,
  );
}

/** The meaning of the columns, printed below the tables. */
const NOTE =
  'Left of "best" at the shipped level of the channel; best: at the best of many levels, chosen with the labels known. An\n' +
  'alarm keeps its channel quiet, so another level is more than another threshold on the scores.\n';
const CHOICES_NOTE =
  'Chosen on other files: five folds, repeated on shuffled files. Weights and constants are as shipped: what went into\n' +
  'choosing those is not in it.\n';

export function ablationText({ sets, channels, corpora }: AblationResult): string {
  const unlabelled = sets.reduce((sum, set) => sum + set.unlabelled, 0);
  return [
    ...channels.map(({ column, lines }) => measuresTable(column, lines)),
    ...corpora.flatMap(({ name, choices, changed }) => [
      choicesTable(`${name}, novelty: chosen on other files`, choices),
      measuresTable(`${name}, changed`, changed),
    ]),
    NOTE,
    corpora.length === 0 ? '' : CHOICES_NOTE,
    unlabelled === 0 ? '' : `${unlabelled} ${unlabelled === 1 ? 'file has' : 'files have'} no labels: left out\n`,
  ].join('');
}

function linesJson(lines: readonly MeasuredLine[]): object[] {
  return lines.map(({ name, measures }) => ({
    name,
    measures: measures.map(({ name: measure, figure: { atShipped, best, bestFactor } }) => ({
      measure,
      at_shipped_level: atShipped,
      best,
      best_level_in_shipped: bestFactor,
    })),
  }));
}

export function ablationJson({ sets, channels, corpora }: AblationResult): object {
  return {
    benchmark: 'ablation',
    data_sets: sets.map(({ name, kind, series, rows, unlabelled }) => ({
      data_set: name,
      kind,
      files: series.length,
      files_without_labels: unlabelled,
      rows,
    })),
    channels: channels.map(({ column, lines }) => ({ column, variants: linesJson(lines) })),
    nab: corpora.map(({ name, choices, changed }) => ({
      data_set: name,
      choices: choices.map(({ name: choice, figures }) => ({
        choice,
        profiles: figures.map((figure) => ({ ...figure, mean: mean(figure.scores) })),
      })),
      changed: linesJson(changed),
    })),
  };
}
