import { detectSeries, type DetectSeriesOptions, type RunCompanion } from '../detect-series.js';
import { type SeriesVerdicts } from '../types.js';
import { PART_NAMES } from './parts.js';
import { Scores } from './scores.js';

/** Scores need all earlier rows, so a run cannot continue from the middle. */
export interface ScoreSeriesOptions extends Omit<DetectSeriesOptions, 'resumeAt' | 'keepBefore'> {
  /** If true, the parts of the scores are also returned. */
  withParts?: boolean;
}

/** Verdicts and scores, one row per input row. Rows without a verdict have score 0. */
export interface ScoredVerdicts extends SeriesVerdicts {
  /** Never seen before, 0..1; an alarm from 0.5. Suppressed for a while after an alarm. */
  novelty: Float64Array;
  /** Different from the expected next value, 0..1; an alarm from 0.5, while it lasts. */
  spike: Float64Array;
  /** Novelty and spike combined, 0..1; an alarm from 0.5. Suppressed for a few rows after an alarm. */
  score: Float64Array;
  /** On request: the parts of the scores, a column for each of PART_NAMES and one of the evidence of `spike`. */
  parts?: Float64Array[];
}

class ScoreColumns extends Scores implements RunCompanion {
  readonly columns: Pick<ScoredVerdicts, 'novelty' | 'spike' | 'score'>;
  readonly partColumns: Float64Array[];

  constructor(rows: number, withParts: boolean) {
    super();
    const column = (): Float64Array => new Float64Array(rows);
    this.columns = { novelty: column(), spike: column(), score: column() };
    this.partColumns = withParts ? Array.from({ length: PART_NAMES.length + 1 }, column) : [];
  }

  note(row: number): void {
    const { columns, parts, partColumns } = this;
    columns.novelty[row] = this.novelty;
    columns.spike[row] = this.spike;
    columns.score[row] = this.score;
    partColumns.forEach((column, part) => (column[row] = parts.values[part] ?? this.spikeEvidence));
  }
}

/** `detectSeries`, with the scores of each row. */
export function scoreSeries(
  timestamps: Float64Array,
  values: Float64Array,
  { withParts = false, ...options }: ScoreSeriesOptions,
): ScoredVerdicts {
  const companion = new ScoreColumns(values.length, withParts);
  const verdicts = detectSeries(timestamps, values, options, companion);
  const scored = { ...verdicts, ...companion.columns };
  return withParts ? { ...scored, parts: companion.partColumns } : scored;
}
