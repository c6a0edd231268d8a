import { type CsvTable, csvTime } from '../../common/http/csv-answer.js';
import { type AnomaliesDto } from './dto/anomaly-answers.dto.js';
import { type YhatDto } from './dto/yhat.dto.js';

/** One row per anomaly of the page. */
export function tableOfAnomalies({ anomalies }: AnomaliesDto): CsvTable {
  const columns = [
    'id',
    'metric',
    'metric_id',
    'timestamp',
    'until_timestamp',
    'kind',
    'state',
    'severity',
    'severity_label',
    'score',
    'value',
    'expected_range_lower',
    'expected_range_upper',
    'positive',
    'acknowledged_at',
    'incident_id',
  ] as const;
  return {
    columns,
    rows: anomalies.map((anomaly) => {
      const { timestamp, until_timestamp, acknowledged_at } = anomaly;
      const times: Partial<Record<(typeof columns)[number], string | null>> = {
        timestamp: csvTime(timestamp),
        until_timestamp: csvTime(until_timestamp),
        acknowledged_at: csvTime(acknowledged_at),
      };
      return columns.map((name) => times[name] ?? anomaly[name]);
    }),
  };
}

/** One row per slot. */
export function tableOfYhat({ yhat }: YhatDto): CsvTable {
  const columns = [
    'yhat',
    'yhat_lower',
    'yhat_upper',
    'yhat_real_lower',
    'value',
    'mean',
    'score',
    'anomalous',
  ] as const;
  return {
    columns: ['timestamp', ...columns],
    rows: yhat.map((point) => [csvTime(point.timestamp), ...columns.map((name) => point[name])]),
  };
}
