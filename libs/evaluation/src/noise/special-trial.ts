import { type SpecialKind, specialSeries, type SpecialSeries } from '#libs/synthetic';
import { type NoiseContestant } from './noise-trial.js';

/** The results of one contestant on one special series. */
export interface SpecialTrial {
  kind: SpecialKind;
  /** Anomalies that were opened while it was judged, without the one that is the trouble. */
  opened: number;
  /** Null: nothing happens in it. */
  found: boolean | null;
  /** From the first row of trouble to the end of the anomaly; null if there is none. */
  openSeconds: number | null;
}

export interface SpecialCase {
  kind: SpecialKind;
  series: SpecialSeries;
}

/** One seed of one kind: the same series for every contestant. */
export function specialCase(kind: SpecialKind, seed: number): SpecialCase {
  return { kind, series: specialSeries(kind, seed) };
}

export function runSpecialTrial({ kind, series }: SpecialCase, contestant: NoiseContestant): SpecialTrial {
  const { timestamps, values, judgedFrom, trouble } = series;
  const judged = contestant.anomaliesOf(timestamps, values).filter(({ first }) => first >= judgedFrom);
  if (trouble === null) return { kind, opened: judged.length, found: null, openSeconds: null };
  // An anomaly that opens after it is the return.
  const own = judged.find(({ first }) => first >= trouble.from && first < trouble.until);
  if (own === undefined) return { kind, opened: judged.length, found: false, openSeconds: null };
  const after = timestamps[own.last]! + (timestamps[1]! - timestamps[0]!);
  return { kind, opened: judged.length - 1, found: true, openSeconds: after - timestamps[trouble.from]! };
}

/** False alarms, found trouble and delay of one method on the special series of one kind. */
export interface SpecialFigures {
  kind: SpecialKind;
  /** Anomalies of a series, without the trouble in it. */
  opened: number;
  /** Series with trouble, and how many of them it was found in. */
  anomalous: number;
  found: number;
  /** Median of the anomalies that are the trouble; null without one. */
  openSeconds: number | null;
}

export function specialFigures(trials: readonly SpecialTrial[]): SpecialFigures[] {
  return [...new Set(trials.map(({ kind }) => kind))].map((kind) => {
    const own = trials.filter((trial) => trial.kind === kind);
    const open = own.flatMap(({ openSeconds }) => openSeconds ?? []).sort((a, b) => a - b);
    return {
      kind,
      opened: own.reduce((sum, { opened }) => sum + opened, 0) / own.length,
      anomalous: own.filter(({ found }) => found !== null).length,
      found: own.filter(({ found }) => found === true).length,
      openSeconds: open[(open.length - 1) >> 1] ?? null,
    };
  });
}
