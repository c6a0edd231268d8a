import { type Schema } from '../../lib/api';
import { type ChartStretch } from './chart-props';

/** Converts an anomaly to a stretch of a chart. */
export function stretchOf(anomaly: Schema<'AnomalyDto'>): ChartStretch {
  return {
    from: anomaly.timestamp,
    until: anomaly.out_until_timestamp,
    kind: anomaly.kind,
    value: anomaly.peak_value ?? anomaly.value,
    lower: anomaly.expected_range_lower,
    upper: anomaly.expected_range_upper,
    severity: anomaly.severity_label,
  };
}
