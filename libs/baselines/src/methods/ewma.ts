import { type BaselineModel } from './baseline-model.js';
import { defineBaseline, EVEN, type RowScorer, scoreOf } from './define-baseline.js';
import { ExponentialMoments } from './exponential-moments.js';

const { abs } = Math;

/** Memory of about 200 rows. */
const RATE = 0.005;
/** Control charts use 3; the tails of server metrics are too heavy for that. */
const ALARM_DEVIATIONS = 6;

class EwmaScorer implements RowScorer {
  lower = NaN;
  upper = NaN;
  private readonly moments = new ExponentialMoments(RATE);

  next(_timestamp: number, value: number): number {
    const { mean, deviation } = this.moments;
    this.lower = mean - ALARM_DEVIATIONS * deviation;
    this.upper = mean + ALARM_DEVIATIONS * deviation;
    const score = scoreOf(abs(value - mean) / deviation, ALARM_DEVIATIONS);
    this.moments.learn(value);
    return score;
  }
}

/**
 * Distance of a value from the exponentially weighted mean of the previous values, in exponentially weighted standard
 * deviations. Scale-free; in a constant series, any change is an alarm. O(1) per row. Source: Roberts (1959), "Control
 * Chart Tests Based on Geometric Moving Averages", used here for single values.
 */
export const EWMA: BaselineModel = defineBaseline({
  id: 'ewma',
  name: 'Moving average',
  description: 'Distance from an exponentially weighted average, in standard deviations of the same memory.',
  source: 'Roberts (1959), Control Chart Tests Based on Geometric Moving Averages',
  minimumPoints: 30,
  speed: 'fast',
  threshold: EVEN,
  hasRange: true,
  start: () => new EwmaScorer(),
});
