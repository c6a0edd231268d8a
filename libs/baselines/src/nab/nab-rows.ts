import { type RowRange } from './row-range.js';

const { exp, floor, min } = Math;

/** One file of the benchmark with the scores of a detector. */
export interface NabSeries {
  /** One per row; NaN is never a detection. */
  scores: Float64Array;
  /** Anomaly windows, ascending and not overlapping. */
  windows: readonly RowRange[];
}

/** The value of a detection at each row of one file, before the weights of a profile. */
export interface NabRows {
  /** Rows before this one are not judged. */
  probation: number;
  /** Window of each row; -1 outside of windows. */
  windowOf: Int32Array;
  /**
   * In a window: 1 at its start, decreasing to almost 0 at its end; outside: 0 directly after a window, decreasing to
   * -1.
   */
  worth: Float64Array;
  /** Windows with at least one judged row: only these can be found or missed. */
  scorable: number[];
}

/** Share of a file that is not judged, and the maximum number of these rows. */
const PROBATION_SHARE = 0.15;
const MAX_PROBATION_ROWS = 750;
/** Larger positions count as exactly -1. */
const FAR = 3;

/**
 * Scaled sigmoid of a position relative to the end of a window, in units of the window: 1 far before it, -1 far after
 * it.
 */
export function scaledSigmoid(position: number): number {
  return position > FAR ? -1 : 2 / (1 + exp(5 * position)) - 1;
}

/** Number of rows at the start of a file that are not judged. */
export function nabProbationRows(rows: number): number {
  return min(floor(PROBATION_SHARE * rows), MAX_PROBATION_ROWS);
}

/**
 * Values every row of a file by the rules of the Numenta Anomaly Benchmark. Source: Lavin & Ahmad (2015), "Evaluating
 * Real-time Anomaly Detection Algorithms - the Numenta Anomaly Benchmark", and `nab/sweeper.py` of numenta/NAB.
 *
 * Throws RangeError if windows overlap, are not in order or extend beyond the file.
 */
export function nabRows(rows: number, windows: readonly RowRange[]): NabRows {
  const probation = nabProbationRows(rows);
  const windowOf = new Int32Array(rows).fill(-1);
  const worth = new Float64Array(rows).fill(-1);
  const atStart = scaledSigmoid(-1);
  let end = -1;
  windows.forEach(({ first, last }, index) => {
    if (first <= end || last < first || last >= rows) {
      throw new RangeError(`window ${first}..${last} overlaps the one before or leaves the ${rows} rows`);
    }
    const length = last - first + 1;
    for (let row = first; row <= last; row++) {
      windowOf[row] = index;
      worth[row] = scaledSigmoid(-(last - row + 1) / length) / atStart;
    }
    const next = windows[index + 1]?.first ?? rows;
    for (let row = last + 1; row < next; row++) worth[row] = scaledSigmoid((row - last) / (length - 1));
    end = last;
  });
  const scorable = windows.flatMap(({ last }, index) => (last >= probation ? [index] : []));
  return { probation, windowOf, worth, scorable };
}
