import { endOf } from '../../lib/anomaly-state';
import { type Schema } from '../../lib/api';
import { csvText } from '../../lib/csv';

const COLUMNS = [
  'id',
  'metric',
  'kind',
  'severity',
  'severity_label',
  'score',
  'state',
  'began',
  'ended',
  'began_timestamp',
  'ended_timestamp',
  'value',
  'peak_value',
  'expected_range_lower',
  'expected_range_upper',
  'acknowledged_by',
  'acknowledged_at',
  'incident_id',
  'explanation',
] as const;

const iso = (timestamp: number | null): string =>
  timestamp === null ? '' : new Date(timestamp * 1000).toISOString().replace('.000', '');

/** Anomalies as a table of RFC 4180. Times in UTC, and also as Unix seconds. */
export function anomaliesCsv(anomalies: readonly Schema<'AnomalyDto'>[]): string {
  const rows = anomalies.map((anomaly) => [
    anomaly.id,
    anomaly.metric,
    anomaly.kind,
    anomaly.severity,
    anomaly.severity_label,
    anomaly.score,
    anomaly.state,
    iso(anomaly.timestamp),
    iso(endOf(anomaly)),
    anomaly.timestamp,
    endOf(anomaly),
    anomaly.value,
    anomaly.peak_value,
    anomaly.expected_range_lower,
    anomaly.expected_range_upper,
    anomaly.acknowledged_by_display_name,
    iso(anomaly.acknowledged_at),
    anomaly.incident_id,
    anomaly.explanation[0]?.text,
  ]);
  return csvText(COLUMNS, rows);
}
