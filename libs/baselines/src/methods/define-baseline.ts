import { type BaselineModel, type BaselineOptions, type BaselineVerdicts } from './baseline-model.js';

const { abs } = Math;

/** A baseline while it reads one series: it is given a row at a time, so it cannot know a later one. */
export interface RowScorer {
  /** Score of the row, 0..1, by it and the rows before; then learns it. NaN counts as 0. */
  next(timestamp: number, value: number): number;
  /** Expected range of the row given last, as known before it; NaN while unknown. Absent when the method has none. */
  lower?: number;
  upper?: number;
}

interface BaselineDefinition extends Omit<BaselineModel, 'run'> {
  threshold: number;
  hasRange: boolean;
  /** A scorer that has seen nothing yet. */
  start(options: Required<BaselineOptions>): RowScorer;
}

const DAY = 86_400;
/** Sums of squares of larger values would overflow; they are passed over like missing ones. */
const MAX_MAGNITUDE = 1e100;

function completeOptions({ periodSeconds = DAY, seed = 1 }: BaselineOptions): Required<BaselineOptions> {
  if (!(periodSeconds > 0 && periodSeconds < Infinity)) {
    throw new RangeError(`periodSeconds must be above 0, got ${periodSeconds}`);
  }
  if (!Number.isInteger(seed)) throw new RangeError(`seed must be a whole number, got ${seed}`);
  return { periodSeconds, seed };
}

/** Adds the shared work of all baselines to a single one: reading columns, skipping rows, waiting for enough rows. */
export function defineBaseline({ threshold, hasRange, start, ...about }: BaselineDefinition): BaselineModel {
  return {
    ...about,
    run(timestamps, values, options = {}): BaselineVerdicts {
      const rows = timestamps.length;
      if (values.length !== rows) throw new RangeError(`${rows} timestamps but ${values.length} values`);
      const scorer = start(completeOptions(options));
      const scores = new Float64Array(rows);
      const lower = new Float64Array(hasRange ? rows : 0).fill(NaN);
      const upper = new Float64Array(hasRange ? rows : 0).fill(NaN);
      let newest = -Infinity;
      let points = 0;
      for (let row = 0; row < rows; row++) {
        const timestamp = timestamps[row]!;
        const value = values[row]!;
        // Written so that NaN fails it.
        if (!(abs(value) <= MAX_MAGNITUDE && timestamp > newest && timestamp < Infinity)) continue;
        newest = timestamp;
        const score = scorer.next(timestamp, value);
        points += 1;
        if (points <= about.minimumPoints) continue;
        scores[row] = score > 0 ? score : 0;
        if (!hasRange) continue;
        lower[row] = scorer.lower!;
        upper[row] = scorer.upper!;
      }
      return hasRange ? { scores, threshold, lower, upper } : { scores, threshold };
    },
  };
}

/** Evidence from 0 up as a score: 0.5 at `alarmAt`, approaching 1. An unknown value (NaN) is 0. */
export function scoreOf(evidence: number, alarmAt: number): number {
  if (evidence === Infinity) return 1;
  return evidence > 0 ? evidence / (evidence + alarmAt) : 0;
}

/** Threshold of baselines whose scores come from `scoreOf`. */
export const EVEN = 0.5;
