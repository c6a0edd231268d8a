import { rowsByScore } from './rows-by-score.js';

/**
 * Area under the precision-recall curve as average precision: the sum, over descending thresholds, of precision times
 * the gain in recall, without interpolation; rows with equal scores count together. A random detector reaches the share
 * of labelled rows. Rows whose score is NaN are never found. Null if no row is labelled. O(rows log rows). Source:
 * Davis & Goadrich (2006), "The Relationship Between Precision-Recall and ROC Curves"; same as
 * `average_precision_score` of scikit-learn. Checked against the example in its documentation and against counting at
 * every threshold (in the specs).
 */
export function areaUnderPr(scores: Float64Array, labels: Uint8Array): number | null {
  const positives = labels.reduce((sum, label) => sum + (label === 0 ? 0 : 1), 0);
  if (positives === 0) return null;
  const order = rowsByScore(scores);
  let area = 0;
  let hits = 0;
  let hitsBefore = 0;
  order.forEach((row, i) => {
    if (labels[row] !== 0) hits += 1;
    const isLastOfScore = i + 1 === order.length || scores[order[i + 1]!]! < scores[row]!;
    if (!isLastOfScore) return;
    area += ((hits - hitsBefore) / positives) * (hits / (i + 1));
    hitsBefore = hits;
  });
  return area;
}
