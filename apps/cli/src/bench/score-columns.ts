import { type ScoredVerdicts } from '#libs/detection';

/** The scores of the detector, each with its own purpose. */
export const SCORE_COLUMNS = ['novelty', 'spike', 'score'] as const;

/** Includes the evidence that opens an anomaly: for labels by operators, not for labels of novelty. */
export const LABELLED_COLUMNS = [...SCORE_COLUMNS, 'alarm'] as const;

/**
 * One series with columns of scores by name, one value per row of the series: the input of scoring, from any source.
 */
export interface ScoredSeries {
  name: string;
  scores: Readonly<Record<string, Float64Array>>;
}

export function scoresOf({
  novelty,
  spike,
  score,
  alarm,
}: ScoredVerdicts): Record<(typeof LABELLED_COLUMNS)[number], Float64Array> {
  return { novelty, spike, score, alarm };
}

/** One column of a series. */
export function columnOf({ name, scores }: ScoredSeries, column: string): Float64Array {
  const found = scores[column];
  if (!found) throw new Error(`${name} has no column ${column}`);
  return found;
}
