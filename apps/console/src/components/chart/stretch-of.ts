import { furthestValue } from '#libs/wording';
import { type Schema } from '../../lib/api';
import { type ChartStretch } from './chart-props';

/** Converts an anomaly to a stretch of a chart. */
export function stretchOf(anomaly: Schema<'AnomalyDto'>): ChartStretch {
  const { kind, value, peak_value: peakValue, expected_range_lower: lower, expected_range_upper: upper } = anomaly;
  return {
    from: anomaly.timestamp,
    until: anomaly.out_until_timestamp,
    kind,
    value: kind === null ? value : furthestValue({ kind, value, peakValue, lower, upper }),
    lower,
    upper,
    severity: anomaly.severity_label,
  };
}
