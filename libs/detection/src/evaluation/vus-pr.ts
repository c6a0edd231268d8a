import { labelledRanges } from './row-range.js';
import { rowsByScore } from './rows-by-score.js';

const { floor, max, min, sqrt } = Math;

/** Labels with soft edges: half a window to either side of an event, falling as a square root. */
interface SoftLabels {
  weights: Float64Array;
  sum: number;
  /** Segment of weights above 0 that each row belongs to; -1 for none. */
  segmentOf: Int32Array;
  segments: number;
}

function softened(labels: Uint8Array, window: number): SoftLabels {
  const rows = labels.length;
  const weights = Float64Array.from(labels, (label) => (label === 0 ? 0 : 1));
  const reach = floor(window / 2);
  for (const { first, last } of labelledRanges(labels)) {
    for (let row = last + 1; row <= min(last + reach, rows - 1); row++) {
      weights[row] = weights[row]! + sqrt(1 - (row - last) / window);
    }
    for (let row = max(first - reach, 0); row < first; row++) {
      weights[row] = weights[row]! + sqrt(1 - (first - row) / window);
    }
  }
  const segmentOf = new Int32Array(rows).fill(-1);
  let segments = 0;
  let sum = 0;
  for (let row = 0; row < rows; row++) {
    if (weights[row] === 0) continue;
    weights[row] = min(1, weights[row]!);
    sum += weights[row]!;
    const goesOn = row > 0 && segmentOf[row - 1] !== -1;
    segmentOf[row] = goesOn ? segmentOf[row - 1]! : segments++;
  }
  return { weights, sum, segmentOf, segments };
}

function rangeAreaUnderPr(scores: Float64Array, order: Uint32Array, soft: SoftLabels, positives: number): number {
  const { weights, sum, segmentOf, segments } = soft;
  const middle = (positives + sum) / 2;
  const wasHit = new Uint8Array(segments);
  let segmentsHit = 0;
  let hits = 0;
  let area = 0;
  let recallBefore = 0;
  let precisionBefore = 1;
  for (let i = 0; i < order.length; i++) {
    const row = order[i]!;
    const segment = segmentOf[row]!;
    if (segment !== -1) {
      hits += weights[row]!;
      segmentsHit += 1 - wasHit[segment]!;
      wasHit[segment] = 1;
    }
    const isLastOfScore = i + 1 === order.length || scores[order[i + 1]!]! < scores[row]!;
    if (!isLastOfScore) continue;
    const recall = min(hits / middle, 1) * (segmentsHit / segments);
    const precision = hits / (i + 1);
    area += ((recall - recallBefore) * (precision + precisionBefore)) / 2;
    recallBefore = recall;
    precisionBefore = precision;
  }
  return area;
}

/**
 * Volume under the precision-recall surface: the area under the range-based precision-recall curve, averaged over the
 * windows 0..`longestWindow` (rows) by which the labels are softened at either side. Rewards alarms a little beside an event
 * and the existence of an alarm in each. Every distinct score is a threshold, areas are trapezoids. Null when no row is
 * labelled. O(rows (log rows + windows)).
 * Source: Paparrizos et al. (2022), "Volume Under the Surface: A New Accuracy Evaluation Measure for Time-Series Anomaly
 * Detection", VLDB 15(11); the published code takes 250 ranks as thresholds.
 *
 * @throws RangeError when the lengths differ
 */
export function volumeUnderPr(scores: Float64Array, labels: Uint8Array, longestWindow: number): number | null {
  if (scores.length !== labels.length) throw new RangeError(`${scores.length} scores but ${labels.length} labels`);
  const positives = labels.reduce((sum, label) => sum + (label === 0 ? 0 : 1), 0);
  if (positives === 0) return null;
  const order = rowsByScore(scores);
  let volume = 0;
  for (let window = 0; window <= longestWindow; window++) {
    volume += rangeAreaUnderPr(scores, order, softened(labels, window), positives);
  }
  return volume / (longestWindow + 1);
}
