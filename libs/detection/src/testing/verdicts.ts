import { detectSeries } from '../detect-series.js';
import { type AnomalyEvent, type SeriesVerdicts } from '../types.js';
import { DAY, type Generator, series, START } from './generators.js';

/** Runs the detector over `days` of minutes. */
export function detect(days: number, value: Generator): SeriesVerdicts {
  const { timestamps, values } = series(days, 60, value);
  return detectSeries(timestamps, values, { type: 'gauge' });
}

/** The anomaly that covers a moment (minutes after `day`), in its final state; undefined if there is none. */
export function anomalyAt(result: SeriesVerdicts, day: number, minute = 0): AnomalyEvent | undefined {
  const at = START + (Math.round(day * 1440) + minute) * 60;
  const last = new Map<number, AnomalyEvent>();
  for (const event of result.anomalies) last.set(event.startTimestamp, event);
  return [...last.values()].find((one) => one.startTimestamp <= at && (one.endTimestamp ?? Infinity) >= at);
}

/** Anomalies opened from a day on. */
export function opened(result: SeriesVerdicts, fromDay = 0): AnomalyEvent[] {
  return result.anomalies.filter((e) => e.type === 'opened' && e.startTimestamp >= START + fromDay * DAY);
}
