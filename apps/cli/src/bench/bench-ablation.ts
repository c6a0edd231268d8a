import { scoreSeries } from '#libs/detection';
import {
  ABLATION_CHANNELS,
  type AblationChannel,
  type ChannelVariant,
  chooseHeldOut,
  eventsByLevel,
  type EvidenceRows,
  evidenceRows,
  LEVEL_FACTORS,
  levelFigure,
  nabByLevel,
  nabFigure,
  nabScoreOf,
  NOVELTY_CHOICES,
} from '#libs/evaluation';
import { type Progress, startProgress } from '../progress.js';
import { type Terminal } from '../terminal.js';
import {
  ablationJson,
  type AblationResult,
  ablationText,
  type ChoiceFigure,
  type ChoiceResult,
  type Measure,
  type MeasuredLine,
} from './bench-ablation-report.js';
import { type BenchSet, readSets } from './bench-baselines-series.js';
import { checkJsonTarget, writeResult, type JsonTarget } from './bench-output.js';
import { averaged, type WindowedSeries, withoutStart } from './harder-series.js';
import { type ColumnOptions } from './labelled-folder.js';

/** A change of a series that should have little effect on the findings in it. */
interface SeriesChange {
  name: string;
  change(series: WindowedSeries): WindowedSeries;
}

const CLOCK_SECONDS = 7 * 3600 + 13 * 60;

/** The original series; then less history, coarser sampling, other units, sign and clock. */
export const SERIES_CHANGES: readonly SeriesChange[] = [
  { name: 'as it is', change: (series) => series },
  { name: 'first 8 % cut', change: (series) => withoutStart(series, 0.08) },
  { name: '2:1 averaged', change: (series) => averaged(series, 2) },
  valuesBy('x * 1000 + 50000', (value) => value * 1000 + 50_000),
  valuesBy('x * 0.0001', (value) => value * 1e-4),
  valuesBy('-x', (value) => -value),
  {
    name: 'clock + 7 h 13 min',
    change: (series) => ({ ...series, timestamps: series.timestamps.map((timestamp) => timestamp + CLOCK_SECONDS) }),
  },
];

export interface BenchAblationOptions extends ColumnOptions {
  json?: true | string;
}

const [NOVELTY, , SCORE] = ABLATION_CHANNELS;
const FOLDS = 5;
const REPETITIONS = 6;

/** A data set, and the detector's evidence for each of its files. */
interface EvidencedSet {
  set: BenchSet;
  rows: EvidenceRows[];
}

function evidenceOf({ timestamps, values }: { timestamps: Float64Array; values: Float64Array }): EvidenceRows {
  const verdicts = scoreSeries(timestamps, values, { type: 'gauge', timezone: 'UTC', withParts: true });
  return evidenceRows(timestamps, verdicts);
}

function measuresOf({ set, rows }: EvidencedSet, channel: AblationChannel, variant: ChannelVariant): Measure[] {
  if (set.kind === 'nab') {
    const files = set.series.map(({ windows }, i) => ({ windows, rows: rows[i]! }));
    return nabByLevel(files, channel, variant).map((byLevel) => ({
      name: `${set.name} ${byLevel.profile.name}`,
      digits: 2,
      figure: nabFigure(byLevel),
    }));
  }
  const files = set.series.map(({ labels, pace }, i) => ({ labels, pace, rows: rows[i]! }));
  const f1 = eventsByLevel(files, channel, variant).map((score) => score.f1);
  return [{ name: `${set.name} F1`, digits: 3, figure: levelFigure(f1) }];
}

/** Measures every variant of a channel on every data set. */
function linesOf(channel: AblationChannel, sets: readonly EvidencedSet[], progress: Progress): MeasuredLine[] {
  return channel.variants.map((variant) => {
    const measures = sets.flatMap((set) => measuresOf(set, channel, variant));
    progress.advance(1);
    return { name: variant.name, measures };
  });
}

/**
 * The level of novelty, optionally with its components, chosen on four fifths of the files and judged on the others.
 */
function choicesOf(
  series: readonly WindowedSeries[],
  rows: readonly EvidenceRows[],
  progress: Progress,
): ChoiceResult[] {
  const files = series.map(({ windows }, i) => ({ windows, rows: rows[i]! }));
  const all = NOVELTY_CHOICES.map((variant) => {
    progress.advance(1);
    return nabByLevel(files, NOVELTY, variant);
  });
  return [
    { name: 'level', variants: all.slice(0, 1) },
    { name: 'components and level', variants: all },
  ].map(({ name, variants }) => ({
    name,
    figures: variants[0]!.map((shipped, profile): ChoiceFigure => {
      const candidates = variants.flatMap((byProfile) => byProfile[profile]!.raw);
      const repeated = Array.from({ length: REPETITIONS }, (_, i) => chooseHeldOut(candidates, FOLDS, i + 1));
      const times = new Map<string, number>();
      for (const candidate of repeated.flatMap(({ chosen }) => chosen)) {
        const components = NOVELTY_CHOICES[Math.floor(candidate / LEVEL_FACTORS.length)]!.name;
        times.set(components, (times.get(components) ?? 0) + 1);
      }
      return {
        profile: shipped.profile.name,
        scores: repeated.map(({ worth }) => nabScoreOf(worth, shipped)),
        chosen: Array.from(times, ([components, count]) => ({ components, times: count })).sort(
          (a, b) => b.times - a.times,
        ),
      };
    }),
  }));
}

/** Novelty and score at the shipped level, on the original and the changed files; standard profile. */
function changedOf(series: readonly WindowedSeries[], progress: Progress): MeasuredLine[] {
  return SERIES_CHANGES.map(({ name, change }) => {
    const files = series.map((one) => {
      const changed = change(one);
      return { windows: changed.windows, rows: evidenceOf(changed) };
    });
    const measures = [NOVELTY, SCORE].map((channel): Measure => {
      const [standard] = nabByLevel(files, channel, channel.variants[0]!);
      return { name: `${channel.column} standard`, digits: 2, figure: nabFigure(standard!) };
    });
    progress.advance(1);
    return { name, measures };
  });
}

function ablationOf(sets: readonly BenchSet[], progress: Progress): AblationResult {
  const evidenced = sets.map((set): EvidencedSet => {
    progress.advance(1);
    return { set, rows: set.series.map(evidenceOf) };
  });
  return {
    sets,
    channels: ABLATION_CHANNELS.map((channel) => ({
      column: channel.column,
      lines: linesOf(channel, evidenced, progress),
    })),
    corpora: evidenced.flatMap(({ set, rows }) => {
      if (set.kind !== 'nab') return [];
      const choices = choicesOf(set.series, rows, progress);
      return [{ name: set.name, choices, changed: changedOf(set.series, progress) }];
    }),
  };
}

/** The command `bench ablation`: the contribution of each component of the scores. */
export async function benchAblation(
  folders: readonly string[],
  options: BenchAblationOptions,
  terminal: Terminal,
): Promise<void> {
  const target: JsonTarget = options.json;
  checkJsonTarget(target);
  const sets = await readSets(folders, options, terminal);
  const corpora = sets.filter(({ kind }) => kind === 'nab').length;
  const variants = ABLATION_CHANNELS.reduce((sum, channel) => sum + channel.variants.length, 0);
  const work = sets.length + variants + corpora * (NOVELTY_CHOICES.length + SERIES_CHANGES.length);
  const progress = startProgress(terminal, 'Weighing', work);
  let result: AblationResult;
  try {
    result = ablationOf(sets, progress);
  } finally {
    progress.stop();
  }
  await writeResult(ablationText(result), ablationJson(result), target, terminal);
}

function valuesBy(name: string, of: (value: number) => number): SeriesChange {
  return { name, change: (series) => ({ ...series, values: series.values.map(of) }) };
}
