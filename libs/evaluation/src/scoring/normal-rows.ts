import { nabProbationRows, type RowRange } from '#libs/baselines';
import { type SeriesPace, warmUpRows } from './labelled-series.js';

/** 1 for the judged rows of a file of the Numenta Anomaly Benchmark that are outside of its windows. */
export function nabNormalRows(rows: number, windows: readonly RowRange[]): Uint8Array {
  const isNormal = new Uint8Array(rows).fill(1, nabProbationRows(rows));
  for (const { first, last } of windows) isNormal.fill(0, first, last + 1);
  return isNormal;
}

/** 1 for the judged rows of a labelled series that have no label. */
export function labelledNormalRows(labels: Uint8Array, pace: SeriesPace): Uint8Array {
  const from = warmUpRows(labels.length, pace);
  return labels.map((label, row) => (row >= from && label === 0 ? 1 : 0));
}
