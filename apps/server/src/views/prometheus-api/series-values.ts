import { type StoredSeriesRow } from './series.types.js';

/** Seconds that a value holds at least, as in Prometheus. */
export const LOOKBACK_SECONDS = 300;
/** Also in multiples of the pace of its series: everywhere in Plumbline, shorter silence is not a gap. */
export const LOOKBACK_PACES = 3;
/** The pace of a series that has sent one point. */
const ASSUMED_PACE_SECONDS = 60;

/** Points of a series: Unix seconds, rising, and their values. */
export interface Points {
  timestamps: Float64Array;
  values: Float64Array;
}

/** Seconds that values of a series hold. */
export interface Hold {
  seconds: number;
  /** The last point of a series that its sender has ended holds no longer than until the next would have come. */
  lastTimestamp: number | null;
  lastSeconds: number;
}

/**
 * How long the value of a point is that of its series.
 * @param lookbackSeconds value of the request; null: five minutes, or three times the pace of a slower series
 * @param slotSeconds of the slots that the points are read from; 0: their own pace is used
 */
export function holdOf(row: StoredSeriesRow, lookbackSeconds: number | null, slotSeconds: number): Hold {
  const pace = Math.max(row.resolutionSeconds ?? 0, slotSeconds);
  const seconds = lookbackSeconds ?? Math.max(LOOKBACK_SECONDS, LOOKBACK_PACES * pace);
  const lastSeconds = pace === 0 ? ASSUMED_PACE_SECONDS : pace;
  return { seconds, lastTimestamp: row.hasEnded ? row.lastTimestamp : null, lastSeconds };
}

/**
 * The value at each time: that of the newest point before it that still holds, and when that was; NaN if there is none.
 * `times` rise.
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

/** A number as Prometheus writes it. */
export function valueText(value: number): string {
  if (value === Infinity) return '+Inf';
  return value === -Infinity ? '-Inf' : String(value);
}
