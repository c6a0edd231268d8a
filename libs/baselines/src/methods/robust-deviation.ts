import { type BaselineModel } from './baseline-model.js';
import { defineBaseline, EVEN, type RowScorer, scoreOf } from './define-baseline.js';
import { SortedValues } from './sorted-values.js';

const { abs, max, min } = Math;

const WINDOW_ROWS = 1440;
/** Convert a median or, if that is 0, a mean of absolute deviations to the standard deviation of normal values. */
const MEDIAN_TO_SIGMA = 1.4826;
const MEAN_TO_SIGMA = 1.2533;
/** Minimum deviation, as a share of the range of the series: for series that are nearly constant. */
const MIN_DEVIATION = 0.01;
/** The source uses 3.5; the tails of server metrics are too heavy for that. */
const ALARM_DEVIATIONS = 6;

class RobustScorer implements RowScorer {
  lower = NaN;
  upper = NaN;
  private readonly sorted = new SortedValues(WINDOW_ROWS);
  private readonly ring = new Float64Array(WINDOW_ROWS);
  private place = 0;
  private lowest = Infinity;
  private highest = -Infinity;

  next(_timestamp: number, value: number): number {
    const { sorted, ring } = this;
    const median = sorted.median();
    const medianDeviation = MEDIAN_TO_SIGMA * sorted.medianDistance(median);
    const usual = medianDeviation > 0 ? medianDeviation : MEAN_TO_SIGMA * sorted.meanDistance(median);
    this.lowest = min(this.lowest, value);
    this.highest = max(this.highest, value);
    const deviation = max(usual, MIN_DEVIATION * (this.highest - this.lowest));
    this.lower = median - ALARM_DEVIATIONS * deviation;
    this.upper = median + ALARM_DEVIATIONS * deviation;
    if (sorted.count === WINDOW_ROWS) sorted.remove(ring[this.place]!);
    sorted.add(value);
    ring[this.place] = value;
    this.place = (this.place + 1) % WINDOW_ROWS;
    return scoreOf(abs(value - median) / deviation, ALARM_DEVIATIONS);
  }
}

/**
 * Modified z-score: distance from the median of the previous 1,440 values, in units of their median absolute deviation
 * (their mean absolute deviation if more than half of them are equal). Up to half of the window may be outliers.
 * O(window) per row, nearly all of it for moving memory. Source: Iglewicz & Hoaglin (1993), "How to Detect and Handle
 * Outliers"; Hampel (1974) for the sliding window.
 */
export const ROBUST_DEVIATION: BaselineModel = defineBaseline({
  id: 'robust_deviation',
  name: 'Robust deviation',
  description:
    'Distance from the median of the latest values, in median absolute deviations: outliers do not blunt it.',
  source: 'Iglewicz, Hoaglin (1993), How to Detect and Handle Outliers; Hampel (1974)',
  minimumPoints: 30,
  speed: 'fast',
  threshold: EVEN,
  hasRange: true,
  start: () => new RobustScorer(),
});
