import { ANOMALY_KINDS, type AnomalyKind } from '#libs/contracts';
import { type Schema } from '../../lib/api';

/** Settings of detection, as POST /tuning accepts them. */
export interface TuningFields {
  name: string;
  chips: string[];
  sensitivity: number;
  direction: 'both' | 'up' | 'down';
  kinds: AnomalyKind[];
  /** Seconds. */
  min_duration_seconds: number;
  /** Seconds; 0: none; null: found in the data. */
  period_seconds: number | null;
  /** In the unit of the metric; null: any size. */
  minimum_size: number | null;
  /** Null: the default of the organisation. */
  false_alarms_per_month: number | null;
}

export const DEFAULT_FIELDS: TuningFields = {
  name: '',
  chips: [],
  sensitivity: 1,
  direction: 'both',
  kinds: [...ANOMALY_KINDS],
  min_duration_seconds: 0,
  period_seconds: null,
  minimum_size: null,
  false_alarms_per_month: null,
};

export function fieldsOf(tuning: Schema<'TuningDto'>): TuningFields {
  const { name, chips, sensitivity, direction, kinds, min_duration_seconds, period_seconds } = tuning;
  const { minimum_size, false_alarms_per_month } = tuning;
  return {
    name,
    chips: [...chips],
    sensitivity,
    direction,
    kinds: [...kinds],
    min_duration_seconds,
    period_seconds,
    minimum_size,
    false_alarms_per_month,
  };
}

/** Without the name, which does not affect detection. */
export function withoutName(fields: TuningFields): Omit<TuningFields, 'name'> {
  const { name: _name, ...rest } = fields;
  return rest;
}

/** Sensitivities of the slider: finer steps could not be distinguished. */
export const SENSITIVITIES = [0.25, 0.35, 0.5, 0.7, 1, 1.4, 2, 2.8, 4] as const;
export const MIN_DURATIONS = [0, 60, 120, 300, 600, 900, 1800, 3600, 7200, 21_600, 86_400] as const;
/** Null: the default. */
export const BUDGETS = [null, 0.1, 0.25, 0.5, 1, 2, 5, 10, 30, 100] as const;

/** Position on a slider with the marks `steps`: the nearest one; for null, that of null. */
export function nearestStep(steps: readonly (number | null)[], value: number | null): number {
  if (value === null) return Math.max(0, steps.indexOf(null));
  let best = 0;
  let smallest = Infinity;
  for (const [i, step] of steps.entries()) {
    if (step === null) continue;
    const distance = Math.abs(Math.log((step + 1e-9) / (value + 1e-9)));
    if (distance < smallest) [best, smallest] = [i, distance];
  }
  return best;
}

type Previewed = Schema<'PreviewedAnomalyDto'>;

const keyOf = ({ metric, from, kind }: Previewed): string => JSON.stringify([metric, from, kind]);

/** Anomalies of one list that the other does not contain. */
export function missingFrom(one: readonly Previewed[], other: readonly Previewed[]): Previewed[] {
  const keys = new Set(other.map(keyOf));
  return one.filter((anomaly) => !keys.has(keyOf(anomaly)));
}

/** Anomalies of a replay by metric; metrics with the most anomalies first. */
export function lanesOf(
  before: readonly Previewed[],
  after: readonly Previewed[],
): { metric: string; before: Previewed[]; after: Previewed[] }[] {
  const metrics = [...new Set([...before, ...after].map(({ metric }) => metric))];
  return metrics
    .map((metric) => ({
      metric,
      before: before.filter((anomaly) => anomaly.metric === metric),
      after: after.filter((anomaly) => anomaly.metric === metric),
    }))
    .toSorted((a, b) => b.before.length - a.before.length || a.metric.localeCompare(b.metric));
}
