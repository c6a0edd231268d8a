import { type MetricType } from '#libs/contracts';
import { type AnomalyEvent, type ScoredVerdicts, scoreSeries } from '#libs/detection';
import { type CsvSeries } from '../csv/read-series-csv.js';

/** How the detector reads a file. */
export interface DetectionOptions {
  type: MetricType;
  /** IANA zone of daily and weekly seasons. */
  timezone: string;
  /** A known season, seconds; 0 for none, omitted: found in the data. */
  periodSeconds?: number;
  /** 1 if omitted; a higher value finds more. */
  sensitivity?: number;
}

/** The results of the detector for one file. Times in Unix seconds. */
export interface Detection {
  type: MetricType;
  timezone: string;
  rows: number;
  /** Rows without a value. */
  missing: number;
  /** Rows with the time of an earlier row: the detector judges one value per time. */
  late: number;
  from: number;
  until: number;
  verdicts: ScoredVerdicts;
  /** One per anomaly, in its state at the end of the file, oldest first. */
  anomalies: AnomalyEvent[];
}

/** The last event of each anomaly: the detector reports every change. */
function lastOfEach(events: readonly AnomalyEvent[]): AnomalyEvent[] {
  const byStart = new Map<number, AnomalyEvent>();
  for (const event of events) byStart.set(event.startTimestamp, event);
  return Array.from(byStart.values()).sort((a, b) => a.startTimestamp - b.startTimestamp);
}

/** Rows whose time is later than that of all previous rows. */
export function isInTime(timestamps: Float64Array): (row: number) => boolean {
  let newest = -Infinity;
  const inTime = Uint8Array.from(timestamps, (timestamp) => {
    if (timestamp <= newest) return 0;
    newest = timestamp;
    return 1;
  });
  return (row) => inTime[row] === 1;
}

/** @param series in order of time */
export function runDetection(series: CsvSeries, options: DetectionOptions): Detection {
  const { timestamps, values } = series;
  const { type, timezone, periodSeconds, sensitivity } = options;
  const verdicts = scoreSeries(timestamps, values, {
    type,
    timezone,
    ...(periodSeconds === undefined ? {} : { periodSeconds }),
    ...(sensitivity === undefined ? {} : { sensitivity }),
  });
  const wasInTime = isInTime(timestamps);
  let missing = 0;
  let late = 0;
  let from = Infinity;
  let until = -Infinity;
  timestamps.forEach((timestamp, row) => {
    if (Number.isNaN(values[row])) missing += 1;
    if (!wasInTime(row)) late += 1;
    from = Math.min(from, timestamp);
    until = Math.max(until, timestamp);
  });
  return {
    type,
    timezone,
    rows: timestamps.length,
    missing,
    late,
    from,
    until,
    verdicts,
    anomalies: lastOfEach(verdicts.anomalies),
  };
}
