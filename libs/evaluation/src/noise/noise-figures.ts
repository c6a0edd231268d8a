import { QUIET_KIND_NAMES, type QuietKind, QUIET_TROUBLES, type QuietTrouble } from '#libs/synthetic';
import { type NoiseTrial } from './noise-trial.js';

/** How many anomalies a detection method opens on ordinary series, and how much of the trouble in them it finds. */
export interface NoiseFigures {
  /** Number of anomalies a day for 1,000 series in which nothing happens: mean over kinds. */
  openedPerDay: number;
  /** Number of anomalies a week of one series, by kind. */
  openedPerWeek: { kind: QuietKind; perWeek: number; found: number; visible: number }[];
  /** Share of visible trouble that was found, 0..1, and median delay of the found trouble; also by kind. */
  visible: number;
  found: number;
  medianDelaySeconds: number | null;
  byTrouble: { trouble: QuietTrouble; visible: number; found: number; medianDelaySeconds: number | null }[];
}

function median(values: readonly number[]): number | null {
  if (values.length === 0) return null;
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[(sorted.length - 1) >> 1]!;
}

function total(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0);
}

export function noiseFigures(trials: readonly NoiseTrial[]): NoiseFigures {
  const byKind = QUIET_KIND_NAMES.map((kind) => {
    const own = trials.filter((trial) => trial.kind === kind);
    const days = total(own.map((trial) => trial.days));
    const troubles = own.flatMap(({ visible, delays }) =>
      QUIET_TROUBLES.map((trouble) => ({ visible: visible[trouble], found: delays[trouble].length })),
    );
    return {
      kind,
      days,
      perWeek: days === 0 ? 0 : (7 * total(own.map(({ opened }) => opened))) / days,
      found: total(troubles.map(({ found }) => found)),
      visible: total(troubles.map(({ visible }) => visible)),
    };
  }).filter(({ days }) => days > 0);
  const byTrouble = QUIET_TROUBLES.map((trouble) => {
    const delays = trials.flatMap((trial) => trial.delays[trouble]);
    return {
      trouble,
      visible: total(trials.map((trial) => trial.visible[trouble])),
      found: delays.length,
      medianDelaySeconds: median(delays),
    };
  });
  const allDelays = trials.flatMap(({ delays }) => QUIET_TROUBLES.flatMap((trouble) => delays[trouble]));
  return {
    openedPerDay: byKind.length === 0 ? 0 : (1000 / 7) * (total(byKind.map(({ perWeek }) => perWeek)) / byKind.length),
    openedPerWeek: byKind.map(({ kind, perWeek, found, visible }) => ({ kind, perWeek, found, visible })),
    visible: total(byTrouble.map(({ visible }) => visible)),
    found: allDelays.length,
    medianDelaySeconds: median(allDelays),
    byTrouble,
  };
}
