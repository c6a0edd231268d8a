/** Consecutive rows of a series, both ends inclusive. */
export interface RowRange {
  first: number;
  last: number;
}

/** Runs of labelled (non-zero) rows. */
export function labelledRanges(labels: Uint8Array): RowRange[] {
  const ranges: RowRange[] = [];
  let first = -1;
  for (let row = 0; row <= labels.length; row++) {
    const isLabelled = row < labels.length && labels[row] !== 0;
    if (isLabelled && first === -1) first = row;
    if (!isLabelled && first !== -1) {
      ranges.push({ first, last: row - 1 });
      first = -1;
    }
  }
  return ranges;
}
