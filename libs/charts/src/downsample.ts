/** Columns that are short enough for drawing. */
export interface DrawnLine {
  timestamps: number[];
  /** NaN = gap. */
  values: number[];
}

export interface DrawnRange {
  timestamps: number[];
  lower: number[];
  upper: number[];
  yhat: number[];
}

/** Number of points per pixel above which a line is thinned; below it, every point is drawn. */
const DENSE_POINTS_PER_BUCKET = 3;

function firstAtOrAfter(timestamps: ArrayLike<number>, time: number): number {
  let low = 0;
  let high = timestamps.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (timestamps[middle]! < time) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Rows [first, end) of an ascending time column that are in the window, both bounds inclusive. */
export function rowsWithin(timestamps: ArrayLike<number>, from: number, until: number): { first: number; end: number } {
  const first = firstAtOrAfter(timestamps, from);
  let end = firstAtOrAfter(timestamps, until);
  while (end < timestamps.length && timestamps[end]! <= until) end += 1;
  return { first, end };
}

/**
 * Thins a line to about one bucket per pixel. A bucket keeps its first, lowest, highest and last value in order of
 * time, so the drawn line covers exactly the pixels that all points would cover (the "M4" aggregation of Jugel et al.,
 * 2014). Gaps at least as wide as a bucket stay gaps; narrower ones would be invisible. O(n). Timestamps are ascending;
 * values that are not finite are gaps. With few points per bucket, everything stays unchanged.
 */
export function downsampleLine(
  timestamps: ArrayLike<number>,
  values: ArrayLike<number>,
  window: { from: number; until: number },
  buckets: number,
): DrawnLine {
  const { first, end } = rowsWithin(timestamps, window.from, window.until);
  const out: DrawnLine = { timestamps: [], values: [] };
  const keep = (row: number): void => {
    out.timestamps.push(timestamps[row]!);
    out.values.push(values[row]!);
  };
  if (end - first <= DENSE_POINTS_PER_BUCKET * buckets) {
    for (let row = first; row < end; row++) keep(row);
    return out;
  }

  const bucketSeconds = (window.until - window.from) / buckets;
  let gapStart = NaN;
  for (let row = first; row < end;) {
    const bucket = Math.floor((timestamps[row]! - window.from) / bucketSeconds);
    const bucketEnd = window.from + (bucket + 1) * bucketSeconds;
    let lowest = -1;
    let highest = -1;
    let opening = -1;
    let closing = -1;
    let next = row;
    for (; next < end && (next === row || timestamps[next]! < bucketEnd); next++) {
      const value = values[next]!;
      if (!Number.isFinite(value)) {
        if (Number.isNaN(gapStart)) gapStart = timestamps[next]!;
        continue;
      }
      if (!Number.isNaN(gapStart)) {
        if (opening === -1 && timestamps[next]! - gapStart >= bucketSeconds) {
          out.timestamps.push(gapStart);
          out.values.push(NaN);
        }
        gapStart = NaN;
      }
      if (opening === -1) opening = next;
      closing = next;
      if (lowest === -1 || value < values[lowest]!) lowest = next;
      if (highest === -1 || value > values[highest]!) highest = next;
    }
    if (opening !== -1) {
      let previous = -1;
      for (const kept of [opening, Math.min(lowest, highest), Math.max(lowest, highest), closing]) {
        if (kept > previous) keep(kept);
        previous = Math.max(previous, kept);
      }
    }
    row = next;
  }
  return out;
}

/**
 * Thins an expected range: a bucket contains the lowest lower bound, the highest upper bound and the mean of the
 * forecast. Rows without both bounds are gaps.
 */
export function downsampleRange(
  expected: {
    timestamps: ArrayLike<number>;
    lower: ArrayLike<number>;
    upper: ArrayLike<number>;
    yhat: ArrayLike<number>;
  },
  window: { from: number; until: number },
  buckets: number,
): DrawnRange {
  const { timestamps, lower, upper, yhat } = expected;
  const { first, end } = rowsWithin(timestamps, window.from, window.until);
  const out: DrawnRange = { timestamps: [], lower: [], upper: [], yhat: [] };
  const push = (time: number, low: number, high: number, middle: number): void => {
    out.timestamps.push(time);
    out.lower.push(low);
    out.upper.push(high);
    out.yhat.push(middle);
  };
  const isDense = end - first > DENSE_POINTS_PER_BUCKET * buckets;
  const bucketSeconds = (window.until - window.from) / buckets;
  for (let row = first; row < end;) {
    const bucket = Math.floor((timestamps[row]! - window.from) / bucketSeconds);
    const bucketEnd = isDense ? window.from + (bucket + 1) * bucketSeconds : -Infinity;
    let low = Infinity;
    let high = -Infinity;
    let sum = 0;
    let count = 0;
    let next = row;
    for (; next < end && (next === row || timestamps[next]! < bucketEnd); next++) {
      if (!Number.isFinite(lower[next]!) || !Number.isFinite(upper[next]!)) continue;
      low = Math.min(low, lower[next]!);
      high = Math.max(high, upper[next]!);
      if (Number.isFinite(yhat[next]!)) {
        sum += yhat[next]!;
        count += 1;
      }
    }
    const isGap = low > high;
    push(timestamps[row]!, isGap ? NaN : low, isGap ? NaN : high, isGap || count === 0 ? NaN : sum / count);
    row = next;
  }
  return out;
}

/**
 * Inserts a gap row where a series pauses for more than `maxIntervals` times its usual (median) interval, so that the
 * line is not drawn straight across the pause. Returns the columns unchanged if there is no such pause.
 */
export function breakAtSilence<T extends Record<string, ArrayLike<number>>>(
  timestamps: ArrayLike<number>,
  columns: T,
  maxIntervals = 3,
): { timestamps: Float64Array; columns: { [K in keyof T]: Float64Array } } {
  const intervals = new Float64Array(Math.max(0, timestamps.length - 1));
  for (let i = 0; i < intervals.length; i++) intervals[i] = timestamps[i + 1]! - timestamps[i]!;
  const limit = maxIntervals * (Float64Array.from(intervals).sort()[intervals.length >> 1] ?? Infinity);
  const pauses: number[] = [];
  if (limit > 0) intervals.forEach((interval, i) => interval > limit && pauses.push(i));

  const spread = (column: ArrayLike<number>, filler: (row: number) => number): Float64Array => {
    const out = new Float64Array(column.length + pauses.length);
    let at = 0;
    let nextPause = 0;
    for (let i = 0; i < column.length; i++) {
      out[at++] = column[i]!;
      if (pauses[nextPause] === i) {
        out[at++] = filler(i);
        nextPause += 1;
      }
    }
    return out;
  };
  const entries = Object.entries(columns).map(([name, column]) => [name, spread(column, () => NaN)]);
  return {
    timestamps: spread(timestamps, (row) => (timestamps[row]! + timestamps[row + 1]!) / 2),
    columns: Object.fromEntries(entries) as { [K in keyof T]: Float64Array },
  };
}
