import { type BaselineModel, type BaselineOptions, type BaselineVerdicts } from './baseline-model.js';

const { abs } = Math;

/** A baseline while it reads one series: it receives one row at a time, so it cannot know later ones. */
export interface RowScorer {
  /** Scores the row, 0..1, from itself and the previous rows; then learns it. NaN counts as 0. */
  next(timestamp: number, value: number): number;
  /** Expected range of the latest row, as known before that row; NaN if unknown. Undefined if the method has none. */
  lower?: number;
  upper?: number;
}

interface BaselineDefinition extends Omit<BaselineModel, 'run'> {
  threshold: number;
  hasRange: boolean;
  /** Creates a scorer that has not read any row. */
  start(options: Required<BaselineOptions>): RowScorer;
}

const DAY = 86_400;
/** Sums of squares of larger values would overflow, so these values are skipped like missing ones. */
const MAX_MAGNITUDE = 1e100;

function completeOptions({ periodSeconds = DAY, seed = 1 }: BaselineOptions): Required<BaselineOptions> {
  if (!(periodSeconds > 0 && periodSeconds < Infinity)) {
    throw new RangeError(`periodSeconds must be above 0, got ${periodSeconds}`);
  }
  if (!Number.isInteger(seed)) throw new RangeError(`seed must be a whole number, got ${seed}`);
  return { periodSeconds, seed };
}

/** Adds the common work to a single baseline: reading columns, skipping rows, waiting for enough rows. */
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
        // Written so that the condition rejects NaN.
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

/** Converts evidence (0 or more) to a score: 0.5 at `alarmAt`, approaching 1. An unknown value (NaN) becomes 0. */
export function scoreOf(evidence: number, alarmAt: number): number {
  if (evidence === Infinity) return 1;
  return evidence > 0 ? evidence / (evidence + alarmAt) : 0;
}

/** Threshold of baselines whose scores come from `scoreOf`. */
export const EVEN = 0.5;
