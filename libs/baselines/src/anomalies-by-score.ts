import { type RowRange } from './nab/row-range.js';

/** Anomalies from the scores that reach a threshold; alarm rows close to each other are merged. */
export function anomaliesByScore(scores: Float64Array, threshold: number, mergeRows = 10): RowRange[] {
  const anomalies: RowRange[] = [];
  for (let row = 0; row < scores.length; row++) {
    if (!(scores[row]! >= threshold)) continue;
    const open = anomalies.at(-1);
    if (open !== undefined && row - open.last <= mergeRows) open.last = row;
    else anomalies.push({ first: row, last: row });
  }
  return anomalies;
}
