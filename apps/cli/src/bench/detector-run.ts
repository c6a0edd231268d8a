import { type ScoredVerdicts, scoreSeries } from '#libs/detection';

/** Runs the detector on each series once, sequentially, and measures the cost. */
export class DetectorRun {
  /** Seconds in the detector alone. */
  seconds = 0;
  points = 0;

  /** @param budget accepted false alarms per month; omitted: the shipped level */
  constructor(private readonly budget?: number) {}

  detect(timestamps: Float64Array, values: Float64Array): ScoredVerdicts {
    const start = performance.now();
    const verdicts = scoreSeries(timestamps, values, {
      type: 'gauge',
      timezone: 'UTC',
      ...(this.budget !== undefined && { budgetPerMonth: this.budget }),
    });
    this.seconds += (performance.now() - start) / 1000;
    this.points += timestamps.length;
    return verdicts;
  }

  get pointsPerSecond(): number {
    return this.seconds === 0 ? 0 : this.points / this.seconds;
  }
}
