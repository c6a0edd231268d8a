import { detectSeries } from '#libs/detection';
import {
  anomaliesByScore,
  BASELINES,
  type NoiseContestant,
  type NoiseFigures,
  noiseFigures,
  noisePair,
  type NoiseTrial,
  runNoiseTrial,
  runSpecialTrial,
  specialCase,
  type SpecialFigures,
  specialFigures,
  type SpecialTrial,
} from '#libs/evaluation';
import { QUIET_KIND_NAMES, SPECIAL_KIND_NAMES } from '#libs/synthetic';
import { UsageError } from '../cli-error.js';
import { startProgress } from '../progress.js';
import { type Terminal } from '../terminal.js';
import { benchTable, checkJsonTarget, fixed, writeResult, type JsonTarget } from './bench-output.js';

export interface BenchNoiseOptions {
  json?: true | string;
  seeds: number;
  baselineSeeds: number;
  /** Interval between rows, minutes. */
  step: number;
  models?: string;
  kinds?: true;
}

const PRODUCT = 'plumbline';

/**
 * The product, represented by the anomalies that it opens. All rows have the interval of the first two, without gaps.
 */
const product: NoiseContestant = {
  name: PRODUCT,
  anomaliesOf(timestamps, values) {
    const step = timestamps[1]! - timestamps[0]!;
    const rowAt = (timestamp: number): number => Math.round((timestamp - timestamps[0]!) / step);
    const { anomalies } = detectSeries(timestamps, values, { type: 'gauge', timezone: 'UTC' });
    const ends = new Map(anomalies.map(({ startTimestamp, endTimestamp }) => [startTimestamp, endTimestamp]));
    return anomalies
      .filter(({ type }) => type === 'opened')
      .map(({ startTimestamp }) => {
        const end = ends.get(startTimestamp) ?? null;
        return { first: rowAt(startTimestamp), last: end === null ? timestamps.length - 1 : rowAt(end) };
      });
  },
};

const baselines: NoiseContestant[] = BASELINES.map(({ id, run }) => ({
  name: id,
  anomaliesOf(timestamps, values) {
    const { scores, threshold } = run(timestamps, values);
    return anomaliesByScore(scores, threshold);
  },
}));

function contestantsNamed(models: string | undefined): NoiseContestant[] {
  const all = [product, ...baselines];
  if (models === undefined) return all;
  const known = all.map(({ name }) => name);
  const named = new Set(models.split(',').map((name) => name.trim()));
  for (const name of named) {
    if (!known.includes(name)) throw new UsageError(`--models: there is no "${name}"; there are ${known.join(', ')}`);
  }
  return all.filter(({ name }) => named.has(name));
}

function minutes(seconds: number | null): string {
  return seconds === null ? '–' : fixed(seconds / 60, 0);
}

interface Result {
  name: string;
  seeds: number;
  figures: NoiseFigures;
  special: SpecialFigures[];
}

function mainTable(results: readonly Result[]): string {
  const troubles = results[0]!.figures.byTrouble.map(({ trouble }) => trouble);
  return benchTable(
    ['method', 'seeds', 'anomalies a day, 1,000 series', 'found', 'delay, min', ...troubles],
    results.map(({ name, seeds, figures }) => [
      name,
      seeds,
      fixed(figures.openedPerDay, 1),
      share(figures.found, figures.visible),
      minutes(figures.medianDelaySeconds),
      ...figures.byTrouble.map((one) => `${share(one.found, one.visible)} (${minutes(one.medianDelaySeconds)})`),
    ]),
  );
}

function share(found: number, of: number): string {
  return of === 0 ? '–' : `${((100 * found) / of).toFixed(1)} %`;
}

function kindTable(results: readonly Result[]): string {
  return benchTable(
    ['kind', ...results.map(({ name }) => name)],
    QUIET_KIND_NAMES.map((kind) => [
      kind,
      ...results.map(({ figures }) => {
        const own = figures.openedPerWeek.find((one) => one.kind === kind)!;
        return `${own.perWeek.toFixed(2)}, ${own.found}/${own.visible}`;
      }),
    ]),
  );
}

function specialTable(results: readonly Result[]): string {
  return benchTable(
    ['special kind', ...results.map(({ name }) => name)],
    SPECIAL_KIND_NAMES.map((kind) => [
      kind,
      ...results.map(({ special }) => {
        const { opened, anomalous, found, openSeconds } = special.find((one) => one.kind === kind)!;
        const noise = opened.toFixed(2);
        return anomalous === 0 ? noise : `${noise}, ${found}/${anomalous} (${minutes(openSeconds)})`;
      }),
    ]),
  );
}

const NOTE =
  'Anomalies opened on days 15 to 28 of series in which nothing happens; share of visible trouble found in the same series, with\n' +
  'its median delay in minutes. Trouble is visible when it is large beside what that time of day did on ten days before.\n' +
  'Special kinds: anomalies of a series besides its trouble; trouble found, with the minutes from its begin to the end of the anomaly.\n';

/**
 * The command `bench noise`: how often the detector and published methods alarm on ordinary series, and how much
 * visible trouble they find.
 */
export async function benchNoise(options: BenchNoiseOptions, terminal: Terminal): Promise<void> {
  const target: JsonTarget = options.json;
  checkJsonTarget(target);
  const contestants = contestantsNamed(options.models).map((contestant) => ({
    contestant,
    seeds: contestant === product ? options.seeds : Math.min(options.seeds, options.baselineSeeds),
    trials: [] as NoiseTrial[],
    special: [] as SpecialTrial[],
  }));
  const progress = startProgress(
    terminal,
    'Series',
    (QUIET_KIND_NAMES.length + SPECIAL_KIND_NAMES.length) * options.seeds,
  );
  try {
    for (const kind of QUIET_KIND_NAMES) {
      for (let seed = 1; seed <= options.seeds; seed++) {
        const pair = noisePair(kind, seed, options.step * 60);
        for (const { contestant, seeds, trials } of contestants) {
          if (seed <= seeds) trials.push(runNoiseTrial(pair, contestant));
        }
        progress.advance(1);
      }
    }
    for (const kind of SPECIAL_KIND_NAMES) {
      for (let seed = 1; seed <= options.seeds; seed++) {
        const one = specialCase(kind, seed);
        for (const { contestant, seeds, special } of contestants) {
          if (seed <= seeds) special.push(runSpecialTrial(one, contestant));
        }
        progress.advance(1);
      }
    }
  } finally {
    progress.stop();
  }
  const results = contestants.map(({ contestant, seeds, trials, special }): Result => ({
    name: contestant.name,
    seeds,
    figures: noiseFigures(trials),
    special: specialFigures(special),
  }));
  const text = mainTable(results) + (options.kinds ? kindTable(results) : '') + specialTable(results) + NOTE;
  const json = {
    benchmark: 'noise',
    step_seconds: options.step * 60,
    methods: results.map(({ name, seeds, figures, special }) => ({
      method: name,
      seeds,
      anomalies_a_day_for_1000: figures.openedPerDay,
      visible: figures.visible,
      found: figures.found,
      median_delay_seconds: figures.medianDelaySeconds,
      by_trouble: figures.byTrouble.map(({ trouble, visible, found, medianDelaySeconds }) => ({
        trouble,
        visible,
        found,
        median_delay_seconds: medianDelaySeconds,
      })),
      by_kind: figures.openedPerWeek.map(({ kind, perWeek, visible, found }) => ({
        kind,
        anomalies_a_week: perWeek,
        visible,
        found,
      })),
      special_kinds: special.map(({ kind, opened, anomalous, found, openSeconds }) => ({
        kind,
        anomalies_a_series: opened,
        troubled: anomalous,
        found,
        median_open_seconds: openSeconds,
      })),
    })),
  };
  await writeResult(text, json, target, terminal);
}
