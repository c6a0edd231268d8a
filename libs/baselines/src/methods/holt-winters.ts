import { type BaselineModel } from './baseline-model.js';
import { defineBaseline, EVEN, type RowScorer, scoreOf } from './define-baseline.js';

const { abs, floor, max, min } = Math;

/**
 * Maximum number of parts of the season with a separate seasonal value: 5 minutes of a day. Fewer if the interval
 * between rows is longer.
 */
const MAX_SLOTS = 288;
/** Number of intervals after which the usual interval counts as known. */
const INTERVALS = 20;
const LEVEL_RATE = 0.1;
const TREND_RATE = 0.01;
const SEASON_RATE = 0.2;
/** Share of the trend that remains after each row: a trend is not expected to continue for long. */
const DAMPING = 0.98;
/** Learning rate of the deviation while no season has been seen: a memory of about 50 rows. */
const PLAIN_DEVIATION_RATE = 0.02;
/** Minimum deviation, as a share of the range of the series. */
const MIN_DEVIATION = 0.01;
/** Smaller errors, as a share of the largest value, are caused by rounding. */
const ROUNDING = 1e-10;
/** Threshold in mean absolute errors; the source uses 2 to 3 and waits for 7 such rows of 9, here one row is enough. */
const ALARM_DEVIATIONS = 10;

class HoltWintersScorer implements RowScorer {
  lower = NaN;
  upper = NaN;
  private readonly intervals: number[] = [];
  private slots = 0;
  /** Seasonal value of each slot, which is added to the level, and the mean absolute forecast error in that slot. */
  private season = new Float64Array(0);
  private deviations = new Float64Array(0);
  /** Until the first season is over: sums and counts of the values of each slot. */
  private counts = new Float64Array(0);
  private seasonEnd = Infinity;
  private isSeasonal = false;
  private previous = NaN;
  private level = NaN;
  private trend = 0;
  private deviation = 0;
  private lowest = Infinity;
  private highest = -Infinity;

  constructor(private readonly periodSeconds: number) {}

  next(timestamp: number, value: number): number {
    this.measurePace(timestamp);
    this.lowest = min(this.lowest, value);
    this.highest = max(this.highest, value);
    if (Number.isNaN(this.level)) {
      this.level = value;
      return 0;
    }
    const phase = timestamp / this.periodSeconds;
    const slot = min(this.slots - 1, floor((phase - floor(phase)) * this.slots));
    if (!this.isSeasonal && timestamp >= this.seasonEnd) this.beginSeason();
    const seasonal = this.isSeasonal ? this.season[slot]! : 0;
    const usual = this.isSeasonal ? this.deviations[slot]! : this.deviation;
    const forecast = this.level + DAMPING * this.trend + seasonal;
    const error = abs(value - forecast);
    const rounding = ROUNDING * max(abs(this.lowest), abs(this.highest));
    const deviation = max(usual, MIN_DEVIATION * (this.highest - this.lowest), rounding);
    this.lower = forecast - ALARM_DEVIATIONS * deviation;
    this.upper = forecast + ALARM_DEVIATIONS * deviation;
    this.learn(value, slot, seasonal, error);
    return scoreOf(error / deviation, ALARM_DEVIATIONS);
  }

  private learn(value: number, slot: number, seasonal: number, error: number): void {
    const before = this.level;
    const continued = before + DAMPING * this.trend;
    this.level = continued + LEVEL_RATE * (value - seasonal - continued);
    this.trend = DAMPING * this.trend + TREND_RATE * (this.level - before - DAMPING * this.trend);
    this.deviation += PLAIN_DEVIATION_RATE * (error - this.deviation);
    if (this.isSeasonal) {
      this.season[slot] = seasonal + SEASON_RATE * (value - this.level - seasonal);
      this.deviations[slot] = this.deviations[slot]! + SEASON_RATE * (error - this.deviations[slot]!);
    } else if (this.slots > 0) {
      this.season[slot] = this.season[slot]! + value;
      this.counts[slot] = this.counts[slot]! + 1;
    }
  }

  /** The usual interval defines how many slots a season can have; with fewer than two there is no season to learn. */
  private measurePace(timestamp: number): void {
    if (this.intervals.length === INTERVALS) return;
    if (!Number.isNaN(this.previous)) this.intervals.push(timestamp - this.previous);
    this.previous = timestamp;
    if (this.intervals.length < INTERVALS) return;
    const usual = this.intervals.toSorted((a, b) => a - b)[INTERVALS >> 1]!;
    const slots = min(MAX_SLOTS, floor(this.periodSeconds / usual));
    if (slots < 2) return;
    this.slots = slots;
    this.season = new Float64Array(slots);
    this.deviations = new Float64Array(slots);
    this.counts = new Float64Array(slots);
    this.seasonEnd = timestamp + this.periodSeconds;
  }

  /**
   * After the first season: seasonal values are the differences between the means of the slots and the overall mean.
   */
  private beginSeason(): void {
    const { season, counts, deviations } = this;
    let [sum, seen] = [0, 0];
    for (let slot = 0; slot < this.slots; slot++) {
      if (counts[slot] === 0) continue;
      season[slot] = season[slot]! / counts[slot]!;
      sum += season[slot]!;
      seen += 1;
    }
    const mean = sum / max(seen, 1);
    for (let slot = 0; slot < this.slots; slot++) season[slot] = counts[slot] === 0 ? 0 : season[slot]! - mean;
    deviations.fill(this.deviation);
    this.level = mean;
    this.trend = 0;
    this.isSeasonal = true;
  }
}

/**
 * Additive Holt-Winters forecast with a damped trend, judged by the usual mean absolute error at the same time of the
 * season. The first season is forecast without seasonal values. Seasons are phases of Unix time (UTC days by default).
 * O(1) per row. Source: Winters (1960), "Forecasting Sales by Exponentially Weighted Moving Averages"; Gardner &
 * McKenzie (1985) for the damping; Brutlag (2000), "Aberrant Behavior Detection in Time Series for Network Monitoring",
 * for the seasonal deviation.
 */
export const HOLT_WINTERS: BaselineModel = defineBaseline({
  id: 'holt_winters',
  name: 'Holt-Winters',
  description: 'Forecasts level, trend and season; alarms when the error is large for this time of the season.',
  source:
    'Winters (1960), Forecasting Sales by Exponentially Weighted Moving Averages; Brutlag (2000), Aberrant Behavior Detection in Time Series for Network Monitoring',
  minimumPoints: 60,
  speed: 'fast',
  threshold: EVEN,
  hasRange: true,
  start: ({ periodSeconds }) => new HoltWintersScorer(periodSeconds),
});
