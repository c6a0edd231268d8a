import { ANOMALY_KINDS, type AnomalyKind } from '#libs/contracts';
import { type SeriesTerms } from '#libs/detection';

export const TUNING_DIRECTIONS = ['both', 'up', 'down'] as const;
export type TuningDirection = (typeof TUNING_DIRECTIONS)[number];

/** What a tuning says of the metrics that it selects. */
export interface TuningSettings {
  sensitivity: number;
  direction: TuningDirection;
  /** Empty: all. */
  kinds: readonly AnomalyKind[];
  minDurationSeconds: number;
  /** Null: found in the data; 0: none. */
  periodSeconds: number | null;
  minimumSize: number | null;
  falseAlarmsPerMonth: number | null;
}

/** The same as the detector takes it: only what differs from its defaults, so that equal settings are equal terms. */
export function termsOf(settings: TuningSettings): SeriesTerms {
  const { sensitivity, direction, kinds, minDurationSeconds, periodSeconds, minimumSize, falseAlarmsPerMonth } =
    settings;
  const isSome = kinds.length > 0 && kinds.length < ANOMALY_KINDS.length;
  return {
    ...(sensitivity !== 1 && { sensitivity }),
    ...(falseAlarmsPerMonth !== null && { budgetPerMonth: falseAlarmsPerMonth }),
    ...(direction !== 'both' && { direction }),
    ...(isSome && { kinds: ANOMALY_KINDS.filter((kind) => kinds.includes(kind)) }),
    ...(minDurationSeconds > 0 && { leastSeconds: minDurationSeconds }),
    ...(minimumSize !== null && minimumSize > 0 && { leastSize: minimumSize }),
    ...(periodSeconds !== null && { periodSeconds }),
  };
}

/** Equal for tunings that are the same: with the same name and the same chips, in whatever order. */
export function sameTuningKey(name: string, chips: readonly string[]): string {
  return JSON.stringify([name, ...[...chips].sort()]);
}

/** Whether one tuning goes before another where both select a metric: the one with more chips, then the newer one. */
export function byPrecedence(
  one: { chips: readonly unknown[]; createdAt: Date; id: number },
  other: { chips: readonly unknown[]; createdAt: Date; id: number },
): number {
  return (
    other.chips.length - one.chips.length || other.createdAt.getTime() - one.createdAt.getTime() || other.id - one.id
  );
}
