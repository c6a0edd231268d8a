import { type ScoredVerdicts } from '#libs/detection';

/** The scores of the detector, each with separate goals. */
export const SCORE_COLUMNS = ['novelty', 'spike', 'score'] as const;

/** Also the evidence that opens an anomaly: for labels of operators, not for those of novelty. */
export const LABELLED_COLUMNS = [...SCORE_COLUMNS, 'alarm'] as const;

/** One series with columns of scores by name, a row per row of the series: the input of scoring, from any source. */
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
