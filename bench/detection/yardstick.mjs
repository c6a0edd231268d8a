import { processorSecondsNow } from './clock.mjs';

/**
 * The yardstick: an EWMA z-score, about the least work that a detector can do per point. Mean and variance follow with
 * rate 0.05; the score is the distance in standard deviations. A figure in multiples of it depends more on the detector
 * and less on the machine.
 */
const RATE = 0.05;
/** The yardstick is fast: it is repeated until this much time has passed. */
const MIN_SECONDS = 0.05;

/** State of any number of series, by index. */
export class EwmaBank {
  constructor(series) {
    this.mean = new Float64Array(series);
    this.variance = new Float64Array(series).fill(1);
  }

  /** Scores the points in order; returns the sum of the scores, so that the work cannot be optimised away. */
  score(places, values) {
    const { mean, variance } = this;
    let sum = 0;
    for (let i = 0; i < values.length; i++) {
      const place = places[i];
      const deviation = values[i] - mean[place];
      sum += Math.abs(deviation) / Math.sqrt(variance[place] + 1e-12);
      mean[place] += RATE * deviation;
      variance[place] = (1 - RATE) * (variance[place] + RATE * deviation * deviation);
    }
    return sum;
  }
}

/**
 * Seconds of processor time per point of the yardstick, over inputs with the same ids and values as those of the
 * detector.
 */
export function yardstickSeconds(bank, inputs, placeOf) {
  const columns = inputs.map(({ ids, values }) => ({ places: Uint32Array.from(ids, placeOf), values }));
  const points = columns.reduce((sum, { values }) => sum + values.length, 0);
  const from = processorSecondsNow();
  let passes = 0;
  let sum = 0;
  let elapsed = 0;
  do {
    for (const { places, values } of columns) sum += bank.score(places, values);
    passes++;
    elapsed = processorSecondsNow() - from;
  } while (elapsed < MIN_SECONDS);
  if (!Number.isFinite(sum)) throw new Error('the yardstick has lost its numbers');
  return elapsed / (points * passes);
}
