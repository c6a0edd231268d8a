import { type TuningSettings } from './tuning.types.js';

/** A tuning with the member names of the API. */
export function fieldsOf(tuning: TuningSettings & { name: string; chips: readonly string[] }) {
  return {
    name: tuning.name,
    chips: tuning.chips,
    sensitivity: tuning.sensitivity,
    direction: tuning.direction,
    kinds: tuning.kinds,
    min_duration_seconds: tuning.minDurationSeconds,
    period_seconds: tuning.periodSeconds,
    minimum_size: tuning.minimumSize,
    false_alarms_per_month: tuning.falseAlarmsPerMonth,
  };
}
