import { sortRun } from '../recent/ordered-rows.js';

/** Points of one series. */
export interface PointColumns {
  timestamps: Float64Array;
  values: Float64Array;
}

export const NO_POINTS: PointColumns = { timestamps: new Float64Array(), values: new Float64Array() };

/** Merges parts of one series, oldest write first: ascending timestamps, and the latest write wins for equal ones. */
export function mergePoints(stretches: readonly PointColumns[]): PointColumns {
  if (stretches.length === 1) return stretches[0]!;
  const size = stretches.reduce((sum, { timestamps }) => sum + timestamps.length, 0);
  const timestamps = new Float64Array(size);
  const values = new Float64Array(size);
  let rows = 0;
  let isRising = true;
  for (const stretch of stretches) {
    if (stretch.timestamps.length === 0) continue;
    if (rows > 0 && stretch.timestamps[0]! <= timestamps[rows - 1]!) isRising = false;
    timestamps.set(stretch.timestamps, rows);
    values.set(stretch.values, rows);
    rows += stretch.timestamps.length;
  }
  if (isRising) return { timestamps, values };
  const end = sortRun(timestamps, values, 0, size);
  return { timestamps: timestamps.subarray(0, end), values: values.subarray(0, end) };
}

/** The points with `from` ≤ timestamp ≤ `until`, as views. */
export function pointsBetween({ timestamps, values }: PointColumns, from: number, until: number): PointColumns {
  const first = lowerBound(timestamps, from);
  const end = lowerBound(timestamps, Math.floor(until) + 1);
  return {
    timestamps: timestamps.subarray(first, Math.max(first, end)),
    values: values.subarray(first, Math.max(first, end)),
  };
}

/** Index of the first timestamp that is not before `timestamp`. */
export function lowerBound(timestamps: Float64Array, timestamp: number): number {
  let low = 0;
  let high = timestamps.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (timestamps[middle]! < timestamp) low = middle + 1;
    else high = middle;
  }
  return low;
}
