import { type RowRange } from '#libs/baselines';
import {
  type InjectedTrouble,
  type QuietKind,
  type QuietSeries,
  quietSeries,
  QUIET_TROUBLES,
  type QuietTrouble,
  withTroubles,
} from '#libs/synthetic';

/** Number of days that a detector learns before it is judged, and number of days of a series. */
export const NOISE_LEARNT_DAYS = 14;
const NOISE_DAYS = 28;
/** A trouble counts as found up to this many seconds after its end. */
const LATE_SECONDS = 600;

/** A detection method: returns the rows of each anomaly that it opens, in order. */
export interface NoiseContestant {
  name: string;
  anomaliesOf(timestamps: Float64Array, values: Float64Array): RowRange[];
}

/** The results of one contestant on one series, once unchanged and once with trouble. */
export interface NoiseTrial {
  kind: QuietKind;
  /** Judged days, and anomalies opened in them while nothing happened. */
  days: number;
  opened: number;
  /** Visible trouble by kind, and the found part of it, with the delay in seconds. */
  visible: Record<QuietTrouble, number>;
  delays: Record<QuietTrouble, number[]>;
}

function byTrouble<T>(make: () => T): Record<QuietTrouble, T> {
  return Object.fromEntries(QUIET_TROUBLES.map((trouble) => [trouble, make()])) as Record<QuietTrouble, T>;
}

/** One seed of one kind: the same two series for every contestant. */
export interface NoisePair {
  kind: QuietKind;
  quiet: QuietSeries;
  anomalous: QuietSeries;
  troubles: InjectedTrouble[];
}

export function noisePair(kind: QuietKind, seed: number, stepSeconds = 60): NoisePair {
  const quiet = quietSeries(kind, seed, NOISE_DAYS, stepSeconds);
  const { series: anomalous, troubles } = withTroubles(quiet, seed, NOISE_LEARNT_DAYS + 1);
  return { kind, quiet, anomalous, troubles };
}

/** Anomalies that start after the days of learning. */
function openedLater({ timestamps }: QuietSeries, anomalies: readonly RowRange[]): number {
  const judgedFrom = timestamps[0]! + NOISE_LEARNT_DAYS * 86_400;
  return anomalies.filter(({ first }) => timestamps[first]! >= judgedFrom).length;
}

export function runNoiseTrial(
  { kind, quiet, anomalous, troubles }: NoisePair,
  contestant: NoiseContestant,
): NoiseTrial {
  const trial: NoiseTrial = {
    kind,
    days: NOISE_DAYS - NOISE_LEARNT_DAYS,
    opened: openedLater(quiet, contestant.anomaliesOf(quiet.timestamps, quiet.values)),
    visible: byTrouble(() => 0),
    delays: byTrouble(() => []),
  };
  const { timestamps, values } = anomalous;
  const anomalies = contestant.anomaliesOf(timestamps, values);
  const lateRows = Math.ceil(LATE_SECONDS / (timestamps[1]! - timestamps[0]!));
  for (const { trouble, from, until, isVisible } of troubles) {
    if (!isVisible) continue;
    trial.visible[trouble]++;
    const found = anomalies.find(({ first }) => first >= from && first < until + lateRows);
    if (found) trial.delays[trouble].push(timestamps[found.first]! - timestamps[from]!);
  }
  return trial;
}
