import { type RowRange } from '#libs/evaluation';

/** One labelled series: columns of equal length, and the labelled rows. */
export interface WindowedSeries {
  /** Unix seconds. */
  timestamps: Float64Array;
  values: Float64Array;
  windows: readonly RowRange[];
}

/**
 * Drops the first `share` (0..1) of the rows, to test the detector with less history. A window that starts in them is
 * also dropped, because they may contain its event.
 */
export function withoutStart({ timestamps, values, windows }: WindowedSeries, share: number): WindowedSeries {
  const rows = Math.floor(share * timestamps.length);
  return {
    timestamps: timestamps.subarray(rows),
    values: values.subarray(rows),
    windows: windows
      .filter(({ first }) => first >= rows)
      .map(({ first, last }) => ({ first: first - rows, last: last - rows })),
  };
}

function mean(values: Float64Array): number {
  const known = values.filter((value) => !Number.isNaN(value));
  return known.reduce((sum, value) => sum + value, 0) / known.length;
}

/** Combines every `rows` rows into one, at the time of the first, to test the detector with coarser data. */
export function averaged({ timestamps, values, windows }: WindowedSeries, rows: number): WindowedSeries {
  const length = Math.ceil(timestamps.length / rows);
  const coarse: RowRange[] = [];
  for (const window of windows) {
    const [first, last] = [Math.floor(window.first / rows), Math.floor(window.last / rows)];
    const before = coarse.at(-1);
    // Windows that meet in one row are merged.
    if (before && first <= before.last) before.last = last;
    else coarse.push({ first, last });
  }
  return {
    timestamps: Float64Array.from({ length }, (_, row) => timestamps[row * rows]!),
    values: Float64Array.from({ length }, (_, row) => mean(values.subarray(row * rows, (row + 1) * rows))),
    windows: coarse,
  };
}
