import {
  type NabProfile,
  nabRows,
  type NabScore,
  type NabSeries,
  normaliseNab,
  scoreNab,
  tallyNab,
} from '#libs/baselines';
import { rowsByScore } from './rows-by-score.js';

/** The judged rows of all files in one list, highest score first: computed once for all profiles and folds. */
export interface RankedCorpus {
  /** Descending. */
  scores: Float64Array;
  fileOf: Uint32Array;
  /** Number of the window in the corpus; -1 outside of windows. */
  windowOf: Int32Array;
  worth: Float64Array;
  windows: number;
}

export function rankCorpus(corpus: readonly NabSeries[]): RankedCorpus {
  const total = corpus.reduce((sum, { scores }) => sum + scores.length, 0);
  const scores = new Float64Array(total).fill(NaN);
  const fileOf = new Uint32Array(total);
  const windowOf = new Int32Array(total).fill(-1);
  const worth = new Float64Array(total);
  let at = 0;
  let windows = 0;
  corpus.forEach((series, file) => {
    const rows = nabRows(series.scores.length, series.windows);
    for (let row = rows.probation; row < series.scores.length; row++) {
      scores[at] = series.scores[row]!;
      fileOf[at] = file;
      worth[at] = rows.worth[row]!;
      windowOf[at] = rows.windowOf[row] === -1 ? -1 : windows + rows.windowOf[row]!;
      at += 1;
    }
    windows += series.windows.length;
  });
  const order = rowsByScore(scores);
  return {
    scores: Float64Array.from(order, (row) => scores[row]!),
    fileOf: Uint32Array.from(order, (row) => fileOf[row]!),
    windowOf: Int32Array.from(order, (row) => windowOf[row]!),
    worth: Float64Array.from(order, (row) => worth[row]!),
    windows,
  };
}

/**
 * The threshold with the highest raw score on the files that `isChosen` selects; of several, the highest. Infinity if
 * no alarm at all is best.
 */
function bestThreshold(
  { scores, fileOf, windowOf, worth, windows }: RankedCorpus,
  profile: NabProfile,
  isChosen: (file: number) => boolean,
): number {
  const worthOfWindow = new Float64Array(windows).fill(-profile.missed);
  // Relative to the score of a detector without alarms.
  let gain = 0;
  let best = 0;
  let threshold = Infinity;
  let current = NaN;
  for (let rank = 0; rank <= scores.length; rank++) {
    const isEnd = rank === scores.length;
    if (!isEnd && !isChosen(fileOf[rank]!)) continue;
    // Rows with equal scores reach the threshold together.
    if ((isEnd || scores[rank]! < current) && gain > best) {
      best = gain;
      threshold = current;
    }
    if (isEnd) break;
    current = scores[rank]!;
    const window = windowOf[rank]!;
    if (window === -1) {
      gain += profile.falseAlarm * worth[rank]!;
      continue;
    }
    const found = profile.found * worth[rank]!;
    if (found > worthOfWindow[window]!) {
      gain += found - worthOfWindow[window]!;
      worthOfWindow[window] = found;
    }
  }
  return threshold;
}

/**
 * The best score that one threshold for the whole corpus can reach, as in the published scoreboards: the threshold is
 * chosen with the labels known. O(rows log rows), O(rows) if the corpus is already ranked.
 */
export function sweepNab(corpus: readonly NabSeries[], profile: NabProfile, ranked = rankCorpus(corpus)): NabScore {
  return scoreNab(
    corpus,
    bestThreshold(ranked, profile, () => true),
    profile,
  );
}

/**
 * The score when the threshold of every file is chosen on other files: file i belongs to fold i mod `folds`, and the
 * files of a fold are judged at the best threshold of all others. The difference from the swept score is luck.
 */
export function crossValidateNab(
  corpus: readonly NabSeries[],
  profile: NabProfile,
  folds = 5,
  ranked = rankCorpus(corpus),
): number {
  let raw = 0;
  let windows = 0;
  let scorable = 0;
  for (let fold = 0; fold < folds; fold++) {
    const threshold = bestThreshold(ranked, profile, (file) => file % folds !== fold);
    corpus.forEach((series, file) => {
      if (file % folds !== fold) return;
      const rows = nabRows(series.scores.length, series.windows);
      raw += tallyNab(series, rows, threshold, profile).raw;
      windows += series.windows.length;
      scorable += rows.scorable.length;
    });
  }
  return normaliseNab(raw, windows, scorable, profile);
}
