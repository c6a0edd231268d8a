import { type AnomalyKind } from '#libs/contracts';

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
