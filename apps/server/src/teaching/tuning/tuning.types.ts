import { type AnomalyKind } from '#libs/contracts';

export const TUNING_DIRECTIONS = ['both', 'up', 'down'] as const;
export type TuningDirection = (typeof TUNING_DIRECTIONS)[number];

/** The settings of a tuning for the metrics that it selects. */
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
