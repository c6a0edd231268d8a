import { type StoredSeriesRow } from './series.types.js';

/** Minimum time that a value is valid, seconds, as in Prometheus. */
export const LOOKBACK_SECONDS = 300;
/** The same as a multiple of the pace of the series: everywhere in Plumbline, shorter silence is not a gap. */
export const LOOKBACK_PACES = 3;
/** The pace of a series with a single point. */
const ASSUMED_PACE_SECONDS = 60;

/** Points of a series: Unix seconds, ascending, and their values. */
export interface Points {
  timestamps: Float64Array;
  values: Float64Array;
}

/** Seconds that values of a series are valid. */
export interface Hold {
  seconds: number;
  /** Set if the sender has ended the series: its last point is valid only until the next one would have arrived. */
  lastTimestamp: number | null;
  lastSeconds: number;
}

/**
 * Returns how long the value of a point is valid.
 * @param lookbackSeconds value of the request; null: five minutes, or three times the pace of a slower series
 * @param slotSeconds length of the slots that the points are read from; 0: the pace of the series is used
 */
export function holdOf(row: StoredSeriesRow, lookbackSeconds: number | null, slotSeconds: number): Hold {
  const pace = Math.max(row.resolutionSeconds ?? 0, slotSeconds);
  const seconds = lookbackSeconds ?? Math.max(LOOKBACK_SECONDS, LOOKBACK_PACES * pace);
  const lastSeconds = pace === 0 ? ASSUMED_PACE_SECONDS : pace;
  return { seconds, lastTimestamp: row.hasEnded ? row.lastTimestamp : null, lastSeconds };
}

/**
 * For each time, the value of the newest point at or before it that is still valid, and the time of that point; NaN if
 * there is none. `times` are ascending.
 */
export function sampleAt({ timestamps, values }: Points, times: Float64Array, hold: Hold): Points {
  const sampled = new Float64Array(times.length).fill(Number.NaN);
  const sampledFrom = new Float64Array(times.length).fill(Number.NaN);
  let newest = -1;
  for (let i = 0; i < times.length; i++) {
    const time = times[i]!;
    while (newest + 1 < timestamps.length && timestamps[newest + 1]! <= time) newest++;
    if (newest < 0) continue;
    const timestamp = timestamps[newest]!;
    const isLast = hold.lastTimestamp !== null && timestamp >= hold.lastTimestamp;
    const seconds = isLast ? Math.min(hold.seconds, hold.lastSeconds) : hold.seconds;
    if (time - timestamp >= seconds) continue;
    sampled[i] = values[newest]!;
    sampledFrom[i] = timestamp;
  }
  return { timestamps: sampledFrom, values: sampled };
}

/** Formats a number like Prometheus. */
export function valueText(value: number): string {
  if (value === Infinity) return '+Inf';
  return value === -Infinity ? '-Inf' : String(value);
}
