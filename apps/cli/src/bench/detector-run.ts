import { detectSeries } from '#libs/detection';

/** Scores of the detector for one series after the other, and what they cost. */
export class DetectorRun {
  /** Seconds in the detector alone. */
  seconds = 0;
  points = 0;

  score(timestamps: Float64Array, values: Float64Array): Float64Array {
    const start = performance.now();
    const { score } = detectSeries(timestamps, values, { type: 'gauge', timezone: 'UTC' });
    this.seconds += (performance.now() - start) / 1000;
    this.points += timestamps.length;
    return score;
  }

  get pointsPerSecond(): number {
    return this.seconds === 0 ? 0 : this.points / this.seconds;
  }
}
