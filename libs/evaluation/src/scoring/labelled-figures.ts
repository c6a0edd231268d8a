import { type EventScore, scoreEvents } from './event-score.js';
import { sweepEvents } from './event-sweep.js';
import { heldOutF1 } from './held-out-f1.js';
import { type LabelledSeries, withoutWarmUp } from './labelled-series.js';
import { areaUnderPr } from './pr-area.js';
import { volumeUnderPr } from './vus-pr.js';

/** The results of one column of scores on a set of labelled series. */
export interface LabelledFigures {
  /** At the given threshold. */
  fixed: EventScore;
  /** At the best threshold for the whole set, chosen with the labels known. */
  swept: EventScore;
  /** F1 that the given threshold loses compared with the best one. */
  thresholdLoss: number;
  /** F1 on series that did not influence the threshold; null for fewer than two. */
  heldOut: number | null;
  /** Means over the series that have events; null if none has. */
  aucPr: number | null;
  vusPr: number | null;
}

function meanOf(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length;
}

/** `threshold` is the shipped one, the same for every series. Warm-up rows are not judged. O(rows log rows). */
export function labelledFigures(set: readonly LabelledSeries[], threshold: number): LabelledFigures {
  const judged = set.map(withoutWarmUp);
  const fixed = scoreEvents(set, threshold);
  const swept = sweepEvents(set, [threshold]);
  return {
    fixed,
    swept,
    thresholdLoss: swept.f1 - fixed.f1,
    heldOut: heldOutF1(set, [threshold]),
    aucPr: meanOf(judged.map(({ scores, labels }) => areaUnderPr(scores, labels))),
    vusPr: meanOf(judged.map(({ scores, labels, pace }) => volumeUnderPr(scores, labels, pace.vusRows))),
  };
}
