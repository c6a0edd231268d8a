import { type AnomalyKind } from '#libs/contracts';

const KINDS: Partial<Record<AnomalyKind, 'up' | 'down' | null>> = {
  spike: 'up',
  level_shift_up: 'up',
  dip: 'down',
  level_shift_down: 'down',
  missing_data: null,
  flatline: null,
};

/** The direction of an anomaly, by its kind, else by its most extreme value; null if it has none. */
export function directionOf(anomaly: {
  kind: AnomalyKind;
  value: number | null;
  peakValue: number | null;
  lower: number | null;
  upper: number | null;
}): 'up' | 'down' | null {
  const byKind = KINDS[anomaly.kind];
  if (byKind !== undefined) return byKind;
  const { lower, upper } = anomaly;
  const value = anomaly.peakValue ?? anomaly.value;
  if (value === null) return null;
  if (upper !== null && value > upper) return 'up';
  return lower !== null && value < lower ? 'down' : null;
}
