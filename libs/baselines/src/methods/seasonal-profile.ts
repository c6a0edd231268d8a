import { type BaselineModel } from './baseline-model.js';
import { defineBaseline, EVEN, type RowScorer, scoreOf } from './define-baseline.js';
import { ExponentialMoments } from './exponential-moments.js';

const { abs, floor, max, min } = Math;

/** Number of parts of the season with a separate mean: 5 minutes of a day. */
const SLOTS = 288;
const PROFILE_RATE = 0.25;
const LEVEL_RATE = 0.3;
/** Number of rows over which the forecast error is averaged before it is judged. */
const ERROR_ROWS = 3;
/** Memory of the usual errors, rows. */
const USUAL_ROWS = 4000;
/** Minimum deviation of the errors, as a share of the range of the series: for series that are nearly constant. */
const MIN_DEVIATION = 0.01;
/**
 * Threshold for the mean error of the rows: the source alarms at a probability of 1e-5, 4.3 deviations of a normal
 * distribution.
 */
const ALARM_DEVIATIONS = 5;

class SeasonalScorer implements RowScorer {
  lower = NaN;
  upper = NaN;
  private readonly profile = new Float64Array(SLOTS).fill(NaN);
  private readonly usual = new ExponentialMoments(1 / USUAL_ROWS);
  private readonly errors = new Float64Array(ERROR_ROWS);
  private place = 0;
  private level = NaN;
  private lowest = Infinity;
  private highest = -Infinity;

  constructor(private readonly periodSeconds: number) {}

  next(timestamp: number, value: number): number {
    const { profile, usual, errors, periodSeconds } = this;
    const phase = timestamp / periodSeconds;
    const slot = min(SLOTS - 1, floor((phase - floor(phase)) * SLOTS));
    const seasonal = profile[slot]!;
    const level = Number.isNaN(this.level) ? value : this.level;
    const forecast = Number.isNaN(seasonal) ? level : (level + seasonal) / 2;
    this.lowest = min(this.lowest, value);
    this.highest = max(this.highest, value);

    const error = abs(value - forecast);
    errors[this.place] = error;
    this.place = (this.place + 1) % ERROR_ROWS;
    let sum = 0;
    for (let i = 0; i < ERROR_ROWS; i++) sum += errors[i]!;
    const deviation = max(usual.deviation, MIN_DEVIATION * (this.highest - this.lowest));
    const score = scoreOf((sum / ERROR_ROWS - usual.mean) / deviation, ALARM_DEVIATIONS);
    const usualError = usual.mean + ALARM_DEVIATIONS * deviation;
    this.lower = forecast - usualError;
    this.upper = forecast + usualError;

    usual.learn(error);
    this.level = level + LEVEL_RATE * (value - level);
    profile[slot] = Number.isNaN(seasonal) ? value : seasonal + PROFILE_RATE * (value - seasonal);
    return score;
  }
}

/**
 * Gaussian likelihood of the forecast error of a seasonal forecast: half the mean of this time of day (UTC), half a
 * fast moving average; the mean error of three rows is compared with the errors of the latest 4,000. Performs best
 * after two seasons. O(1) per row. Source: Ahmad et al. (2017), "Unsupervised real-time anomaly detection for streaming
 * data", Neurocomputing 262, for the likelihood of an error averaged over few rows; the forecast is exponential
 * smoothing by time of day.
 */
export const SEASONAL_PROFILE: BaselineModel = defineBaseline({
  id: 'seasonal_profile',
  name: 'Seasonal profile',
  description: 'Forecasts by time of day and by the latest values; alarms when the error is unlikely for this series.',
  source: 'Ahmad et al. (2017), Unsupervised real-time anomaly detection for streaming data',
  minimumPoints: 60,
  speed: 'fast',
  threshold: EVEN,
  hasRange: true,
  start: ({ periodSeconds }) => new SeasonalScorer(periodSeconds),
});
