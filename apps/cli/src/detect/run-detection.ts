import { type MetricType } from '#libs/contracts';
import { type AnomalyEvent, type ScoredVerdicts, scoreSeries, WARM_UP_POINTS } from '#libs/detection';
import { type BrokenRule, InputError, MAX_SHOWN_LINES } from '../cli-error.js';
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

/**
 * Refuses a file of which the detector could judge no row, or in which most rows repeat the time of another one, as in
 * a file with several series.
 *
 * @param series in order of time
 * @throws InputError with a line and the rule
 */
export function requireJudgedRows(source: string, series: CsvSeries, type: MetricType): void {
  const { timestamps, values, timestampTexts, lines } = series;
  const isFirstOfTime = isInTime(timestamps);
  const repeated: BrokenRule[] = [];
  let repeatedCount = 0;
  let usable = 0;
  let firstLine = 0;
  timestamps.forEach((_, row) => {
    if (isFirstOfTime(row)) {
      firstLine = lines[row]!;
      if (!Number.isNaN(values[row])) usable += 1;
      return;
    }
    repeatedCount += 1;
    if (repeated.length === MAX_SHOWN_LINES) return;
    const text = JSON.stringify(timestampTexts[row]);
    const rule = `timestamp ${text} is the time of line ${firstLine} too; a file must hold one series, one row for each time`;
    repeated.push({ line: lines[row]!, rule });
  });
  if (repeatedCount > timestamps.length / 2) throw new InputError(source, repeated, repeatedCount);
  // The first reading of a counter has no rate.
  const needed = WARM_UP_POINTS + 1 + (type === 'counter' ? 1 : 0);
  if (usable >= needed) return;
  const line = lines.reduce((last, one) => Math.max(last, one), 1);
  const rows = `${usable} ${usable === 1 ? 'row' : 'rows'} with a value and a time of ${usable === 1 ? 'its' : 'their'} own`;
  throw new InputError(source, [
    {
      line,
      rule: `the file ends after ${rows}; at least ${needed} are needed, because the first ${WARM_UP_POINTS} are only learnt from`,
    },
  ]);
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
