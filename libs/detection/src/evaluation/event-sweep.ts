import { type EventScore, type PreparedEvents, prepareEvents, scorePreparedEvents } from './event-score.js';
import { type LabelledSeries } from './labelled-series.js';
import { rowsByScore } from './rows-by-score.js';

/** Thresholds tried at most, of either sort. */
const MOST_TRIED = 200;

/** Evenly spread members of a list, its ends among them. */
function thinned(sorted: Float64Array): number[] {
  if (sorted.length <= MOST_TRIED) return Array.from(sorted);
  return Array.from({ length: MOST_TRIED }, (_, i) => {
    return sorted[Math.round((i * (sorted.length - 1)) / (MOST_TRIED - 1))]!;
  });
}

/** Highest score within each event and its tolerance: the threshold at which it is found. */
function findingThresholds({ scores, events, toleranceRows }: PreparedEvents): number[] {
  return events.map(({ first, last }) =>
    scores.subarray(first, last + toleranceRows + 1).reduce((most, score) => (score > most ? score : most), -Infinity),
  );
}

/** Scores of falling rank, closer to each other at the top, where alarms are rare. */
function rankedThresholds(set: readonly PreparedEvents[]): number[] {
  const all = new Float64Array(set.reduce((sum, { scores }) => sum + scores.length, 0));
  let at = 0;
  for (const { scores } of set) {
    all.set(scores, at);
    at += scores.length;
  }
  const order = rowsByScore(all);
  if (order.length === 0) return [];
  return Array.from({ length: MOST_TRIED }, (_, i) => {
    const rank = Math.floor(order.length ** (i / (MOST_TRIED - 1))) - 1;
    return all[order[Math.min(rank, order.length - 1)]!]!;
  });
}

/**
 * The best event F1 that one threshold for the whole set can reach, with the labels known. Recall changes only where an
 * event is found, so those thresholds are tried (200 spread over them when there are more), 200 ranks of the scores
 * besides, and those given as `alsoTry`; not those that every judged row reaches, for an alarm without end
 * is no detector. Of equals the highest is kept. O(rows) for each of them.
 */
export function sweepEvents(set: readonly LabelledSeries[], alsoTry: readonly number[] = []): EventScore {
  const prepared = set.map(prepareEvents);
  const finding = Float64Array.from(new Set(prepared.flatMap(findingThresholds))).sort();
  const tried = new Set([...thinned(finding), ...rankedThresholds(prepared), ...alsoTry]);
  const lowest = prepared.reduce((least, { scores }) => scores.reduce((a, b) => (b < a ? b : a), least), Infinity);
  let best = scorePreparedEvents(prepared, Infinity);
  for (const threshold of Float64Array.from(tried).sort().reverse()) {
    if (threshold <= lowest) break;
    const score = scorePreparedEvents(prepared, threshold);
    if (score.f1 > best.f1) best = score;
  }
  return best;
}
