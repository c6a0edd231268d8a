import { labelledFigures, nabFigures } from '#libs/evaluation';
import { startProgress } from '../progress.js';
import { type Terminal } from '../terminal.js';
import { type Contestant, contestants, type ScoredColumn } from './bench-baselines-models.js';
import { setJson, type SetResult, setTable } from './bench-baselines-report.js';
import { type BenchSet, readSets } from './bench-baselines-series.js';
import { checkJsonTarget, writeResult, type JsonTarget } from './bench-output.js';
import { type ColumnOptions } from './labelled-folder.js';

export interface BenchBaselinesOptions extends ColumnOptions {
  json?: true | string;
  /** Comma-separated ids; all if omitted. */
  models?: string;
  /** Number of rows for which a baseline is muted after an alarm; 0 for none. */
  mute: number;
}

/** One run of a contestant on a data set. */
interface Run {
  seconds: number;
  /** Columns of each series. */
  scored: ScoredColumn[][];
}

function runOver(
  contestant: Contestant,
  series: readonly { timestamps: Float64Array; values: Float64Array }[],
  onRows: (rows: number) => void,
): Run {
  let seconds = 0;
  const scored = series.map(({ timestamps, values }) => {
    const start = performance.now();
    const columns = contestant.run(timestamps, values);
    seconds += (performance.now() - start) / 1000;
    onRows(values.length);
    return columns;
  });
  return { seconds, scored };
}

/** Judges every column of every contestant on one data set. Scores are released as soon as they are judged. */
function judge(set: BenchSet, compared: readonly Contestant[], onRows: (rows: number) => void): SetResult {
  const { name, rows, unlabelled } = set;
  const about = { name, files: set.series.length, rows, unlabelled };
  const columnsOf = <Figures>(figuresOf: (scores: Float64Array[], threshold: number) => Figures) =>
    compared.flatMap((contestant) => {
      const { seconds, scored } = runOver(contestant, set.series, onRows);
      return contestant.columns.map((column, i) => {
        const { threshold } = scored[0]![i]!;
        const scores = scored.map((columns) => columns[i]!.scores);
        return { column, threshold, seconds, figures: figuresOf(scores, threshold) };
      });
    });
  if (set.kind === 'nab') {
    const results = columnsOf((scores, threshold) =>
      nabFigures(
        set.series.map(({ windows }, i) => ({ windows, scores: scores[i]! })),
        threshold,
      ),
    );
    return { ...about, kind: 'nab', results };
  }
  const results = columnsOf((scores, threshold) =>
    labelledFigures(
      set.series.map(({ labels, pace }, i) => ({ labels, pace, scores: scores[i]! })),
      threshold,
    ),
  );
  return { ...about, kind: 'labelled', results };
}

/** The command `bench baselines`: the detector and published methods on the same labelled data. */
export async function benchBaselines(
  folders: readonly string[],
  options: BenchBaselinesOptions,
  terminal: Terminal,
): Promise<void> {
  const target: JsonTarget = options.json;
  checkJsonTarget(target);
  const compared = contestants(options.models, options.mute);
  const sets = await readSets(folders, options, terminal);
  const work = compared.length * sets.reduce((sum, { rows }) => sum + rows, 0);
  const progress = startProgress(terminal, 'Scoring', work, 'rows');
  const results: SetResult[] = [];
  try {
    for (const set of sets) results.push(judge(set, compared, progress.advance));
  } finally {
    progress.stop();
  }
  const unlabelled = sets.reduce((sum, set) => sum + set.unlabelled, 0);
  const leftOut =
    unlabelled === 0 ? '' : `${unlabelled} ${unlabelled === 1 ? 'file has' : 'files have'} no labels: left out\n`;
  const json = { benchmark: 'baselines', mute: options.mute, data_sets: results.map(setJson) };
  await writeResult(results.map(setTable).join('') + leftOut, json, target, terminal);
}
