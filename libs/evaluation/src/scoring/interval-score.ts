import { type RangeColumns } from './seasonal-naive.js';

const { sqrt } = Math;

/**
 * Share of normal values that a range of the detector may leave outside when it is judged. The interval score is lowest
 * for the range between the quantiles alpha/2 and 1 - alpha/2: with 0.02 that is 98 % inside, in the middle of the 97
 * to 99.5 % that the range should contain, so that the score and the share inside have the same optimum.
 */
export const RANGE_ALPHA = 0.02;

/**
 * The interval score of a range [lower, upper] at a value: its width, and 2/alpha times the distance of a value
 * outside. Unit of the value; lower is better; the range of the true quantiles (alpha/2 and 1 - alpha/2) has the lowest
 * mean. Source: Gneiting & Raftery (2007), "Strictly Proper Scoring Rules, Prediction, and Estimation", JASA 102,
 * equation (43).
 */
export function intervalScore(value: number, lower: number, upper: number, alpha: number): number {
  const width = upper - lower;
  if (value < lower) return width + (2 / alpha) * (lower - value);
  if (value > upper) return width + (2 / alpha) * (value - upper);
  return width;
}

/** The quality of the expected range of one series on its normal rows. */
export interface RangeScore {
  /** Normal rows that had a value and a range. */
  rows: number;
  /** Of these, rows whose value was in the range. */
  inside: number;
  /** Of these, rows where the baseline also had a range: the following members are about them. */
  comparedRows: number;
  /** Mean interval score, unit of the series; NaN without compared rows. */
  score: number;
  /** The same for the baseline. */
  baselineScore: number;
  /** Standard deviation of the values. */
  deviation: number;
}

/**
 * Judges an expected range on the rows where `isNormal` is 1, against a baseline on the same rows. Columns of one
 * length. Checked manually (in the specs), and with the seasonal-naive baseline on a real series of 17,000 rows against
 * a program in Python that maintains a sorted list: the same rows, share inside and score.
 *
 * @throws RangeError if the lengths differ
 */
export function scoreRange(
  values: Float64Array,
  isNormal: Uint8Array,
  range: RangeColumns,
  baseline: RangeColumns,
  alpha = RANGE_ALPHA,
): RangeScore {
  const lengths = [isNormal, range.lower, range.upper, baseline.lower, baseline.upper].map(({ length }) => length);
  if (lengths.some((length) => length !== values.length)) {
    throw new RangeError(`${values.length} values, but columns of ${lengths.join(', ')} rows`);
  }
  let [rows, inside, comparedRows, scores, baselineScores, mean, squares] = [0, 0, 0, 0, 0, 0, 0];
  for (let row = 0; row < values.length; row++) {
    const value = values[row]!;
    const [lower, upper] = [range.lower[row]!, range.upper[row]!];
    if (isNormal[row] === 0 || Number.isNaN(value) || Number.isNaN(lower) || Number.isNaN(upper)) continue;
    rows += 1;
    if (value >= lower && value <= upper) inside += 1;
    if (Number.isNaN(baseline.lower[row])) continue;
    comparedRows += 1;
    scores += intervalScore(value, lower, upper, alpha);
    baselineScores += intervalScore(value, baseline.lower[row]!, baseline.upper[row]!, alpha);
    // Welford (1962): sums of squares would lose the spread of values far from 0.
    const step = value - mean;
    mean += step / comparedRows;
    squares += step * (value - mean);
  }
  return {
    rows,
    inside,
    comparedRows,
    score: scores / comparedRows,
    baselineScore: baselineScores / comparedRows,
    deviation: sqrt(squares / comparedRows),
  };
}

/** The expected ranges of a set of series. */
export interface PooledRange {
  rows: number;
  /** Share of all rows inside; NaN without rows. */
  inside: number;
  /** Mean over the series of the share inside. */
  meanInside: number;
  /**
   * Mean interval score divided by that of the baseline, both as means over the series in standard deviations of each:
   * below 1 is better than the baseline. NaN if there is nothing to compare.
   */
  ratio: number;
  /** Mean over the series of the ratio of each; series in which the baseline is never wrong have no ratio. */
  meanRatio: number;
  /** Series compared. */
  series: number;
}

function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
}

/**
 * Combines series of different units. Constant series have no unit for a comparison: they only count for the share
 * inside.
 */
export function poolRangeScores(all: readonly RangeScore[]): PooledRange {
  const judged = all.filter(({ rows }) => rows > 0);
  const compared = judged.filter(({ comparedRows, deviation }) => comparedRows > 0 && deviation > 0);
  const rows = judged.reduce((sum, one) => sum + one.rows, 0);
  return {
    rows,
    inside: judged.reduce((sum, one) => sum + one.inside, 0) / rows,
    meanInside: mean(judged.map((one) => one.inside / one.rows)),
    ratio:
      mean(compared.map(({ score, deviation }) => score / deviation)) /
      mean(compared.map(({ baselineScore, deviation }) => baselineScore / deviation)),
    meanRatio: mean(
      compared
        .filter(({ baselineScore }) => baselineScore > 0)
        .map(({ score, baselineScore }) => score / baselineScore),
    ),
    series: compared.length,
  };
}
