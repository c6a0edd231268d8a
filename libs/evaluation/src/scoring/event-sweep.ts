import {
  alarmRowsOf,
  type EventScore,
  everyRowOf,
  type PreparedEvents,
  prepareEvents,
  scorePreparedEvents,
} from './event-score.js';
import { type LabelledSeries } from './labelled-series.js';
import { rowsByScore } from './rows-by-score.js';

/** Maximum number of thresholds that are tried: of those that find an event, and of the ranks of all scores. */
const MAX_FINDING = 1000;
const MAX_RANKS = 200;
/** Maximum number of thresholds from which one is chosen on half of the series. */
const MAX_CHOSEN_FROM = 100;

/** Evenly spread members of a list, including its ends. */
function thinned(sorted: Float64Array, most: number): number[] {
  if (sorted.length <= most) return Array.from(sorted);
  return Array.from({ length: most }, (_, i) => sorted[Math.round((i * (sorted.length - 1)) / (most - 1))]!);
}

/** Highest score within each event and its tolerance: the threshold at which it is found. */
function findingThresholds({ scores, events, toleranceRows }: PreparedEvents): number[] {
  return events.map(({ first, last }) =>
    scores.subarray(first, last + toleranceRows + 1).reduce((most, score) => (score > most ? score : most), -Infinity),
  );
}

/** Scores by descending rank, closer to each other at the top, where alarms are rare. */
function rankedThresholds(set: readonly PreparedEvents[]): number[] {
  const all = new Float64Array(set.reduce((sum, { scores }) => sum + scores.length, 0));
  let at = 0;
  for (const { scores } of set) {
    all.set(scores, at);
    at += scores.length;
  }
  const order = rowsByScore(all);
  if (order.length === 0) return [];
  return Array.from({ length: MAX_RANKS }, (_, i) => {
    const rank = Math.floor(order.length ** (i / (MAX_RANKS - 1))) - 1;
    return all[order[Math.min(rank, order.length - 1)]!]!;
  });
}

/**
 * The best event F1 that one threshold for the whole set can reach, with the labels known. Recall changes only where an
 * event is found, so those thresholds are tried (1,000 spread over them if there are more), and also 200 ranks of the
 * scores, and those in `alsoTry`. Thresholds that every judged row reaches are omitted, because an endless alarm is not
 * a detector. Of equal ones, the highest is returned. O(rows log rows), then O(rows that reach it) for each of them.
 */
export function sweepEvents(set: readonly LabelledSeries[], alsoTry: readonly number[] = []): EventScore {
  const prepared = set.map(prepareEvents);
  const finding = Float64Array.from(new Set(prepared.flatMap(findingThresholds))).sort();
  const tried = [...thinned(finding, MAX_FINDING), ...rankedThresholds(prepared), ...alsoTry];
  let best = scorePreparedEvents(
    prepared,
    Infinity,
    prepared.map(() => new Uint32Array(0)),
  );
  eachThreshold(prepared, tried, (threshold, alarmRows) => {
    const score = scorePreparedEvents(prepared, threshold, alarmRows);
    if (score.f1 > 0 && score.f1 >= best.f1) best = score;
  });
  return best;
}

/**
 * In ascending order, without those that every judged row reaches: rows that reach a threshold are among those that
 * reached the one before.
 */
function eachThreshold(
  prepared: readonly PreparedEvents[],
  thresholds: readonly number[],
  take: (threshold: number, alarmRows: Uint32Array[]) => void,
): void {
  const lowest = prepared.reduce((least, { scores }) => scores.reduce((a, b) => (b < a ? b : a), least), Infinity);
  let alarmRows = prepared.map(everyRowOf);
  for (const threshold of Float64Array.from(new Set(thresholds)).sort()) {
    if (!(threshold > lowest)) continue;
    alarmRows = prepared.map((series, i) => alarmRowsOf(series, threshold, alarmRows[i]!));
    take(threshold, alarmRows);
  }
}

/**
 * The score of each series at the thresholds (ascending) from which one may be chosen: a hundred of those at which an
 * event is found, and those in `alsoTry`. O(thresholds * rows that reach them).
 */
export function scoresByThreshold(prepared: readonly PreparedEvents[], alsoTry: readonly number[]): EventScore[][] {
  const finding = Float64Array.from(new Set(prepared.flatMap(findingThresholds))).sort();
  const byThreshold: EventScore[][] = [];
  eachThreshold(prepared, [...thinned(finding, MAX_CHOSEN_FROM), ...alsoTry], (threshold, alarmRows) => {
    byThreshold.push(prepared.map((series, i) => scorePreparedEvents([series], threshold, [alarmRows[i]!])));
  });
  return byThreshold;
}
