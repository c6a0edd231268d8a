import { type PooledRange, poolRangeScores, type RangeScore } from '#libs/evaluation';
import { benchTable, fixed } from './bench-output.js';

/** Series with a common report: a data set, or one file. */
export interface RangeGroup {
  name: string;
  ranges: readonly RangeScore[];
}

/** The meaning of the columns, printed below every table. */
export const RANGE_NOTE =
  'Expected range: share of normal rows inside (aim: 97 to 99.5 %), and the mean interval score over that of a\n' +
  'seasonal-naive forecast (aim: below 0.8): as a ratio of means over the series in standard deviations of each, which is\n' +
  'the figure to go by, and as the mean of the ratio of each, in which single series weigh most.\n';

function percent(share: number): string {
  return Number.isNaN(share) ? '–' : `${(100 * share).toFixed(2)} %`;
}

/** Coverage and interval score of the expected range, one line per group. */
export function rangeTable(label: string, groups: readonly RangeGroup[]): string {
  return benchTable(
    [label, 'series', 'normal rows', 'inside', 'mean of series', 'score / naive', 'mean of ratios'],
    groups.map(({ name, ranges }) => {
      const { rows, inside, meanInside, ratio, meanRatio } = poolRangeScores(ranges);
      return [name, ranges.length, rows, percent(inside), percent(meanInside), fixed(ratio, 3), fixed(meanRatio, 3)];
    }),
  );
}

/** Converts NaN, which JSON does not support, to null. */
function known(number: number): number | null {
  return Number.isFinite(number) ? number : null;
}

export function rangeJson(ranges: readonly RangeScore[]): object {
  const pooled: PooledRange = poolRangeScores(ranges);
  return {
    normal_rows: pooled.rows,
    inside: known(pooled.inside),
    mean_inside: known(pooled.meanInside),
    series_compared: pooled.series,
    interval_score_ratio: known(pooled.ratio),
    mean_interval_score_ratio: known(pooled.meanRatio),
  };
}
