import { type NabProfile } from './nab-profile.js';
import { nabRows, type NabSeries } from './nab-rows.js';
import { normaliseNab, type NabScore, scoreNab, tallyNab } from './nab-score.js';
import { rowsByScore } from './rows-by-score.js';

/** The judged rows of all files in one list, highest score first. */
interface CorpusRows {
  scores: Float64Array;
  /** Number of the window in the corpus; -1 outside of windows. */
  windowOf: Int32Array;
  worth: Float64Array;
  windows: number;
}

function corpusRows(corpus: readonly NabSeries[]): CorpusRows {
  const total = corpus.reduce((sum, { scores }) => sum + scores.length, 0);
  const scores = new Float64Array(total).fill(NaN);
  const windowOf = new Int32Array(total).fill(-1);
  const worth = new Float64Array(total);
  let at = 0;
  let windows = 0;
  for (const series of corpus) {
    const rows = nabRows(series.scores.length, series.windows);
    for (let row = rows.probation; row < series.scores.length; row++) {
      scores[at] = series.scores[row]!;
      worth[at] = rows.worth[row]!;
      windowOf[at] = rows.windowOf[row] === -1 ? -1 : windows + rows.windowOf[row]!;
      at += 1;
    }
    windows += series.windows.length;
  }
  return { scores: scores.subarray(0, at), windowOf, worth, windows };
}

/** The threshold with the highest raw score; of several the highest. Infinity when saying nothing is best. */
function bestThreshold({ scores, windowOf, worth, windows }: CorpusRows, profile: NabProfile): number {
  const order = rowsByScore(scores);
  const worthOfWindow = new Float64Array(windows).fill(-profile.missed);
  // Relative to the score of a detector that says nothing.
  let gain = 0;
  let best = 0;
  let threshold = Infinity;
  for (let i = 0; i < order.length; i++) {
    const row = order[i]!;
    const window = windowOf[row]!;
    if (window === -1) {
      gain += profile.falseAlarm * worth[row]!;
    } else {
      const found = profile.found * worth[row]!;
      if (found > worthOfWindow[window]!) {
        gain += found - worthOfWindow[window]!;
        worthOfWindow[window] = found;
      }
    }
    // Rows of one score come over the threshold together.
    const isLastOfScore = i + 1 === order.length || scores[order[i + 1]!]! < scores[row]!;
    if (isLastOfScore && gain > best) {
      best = gain;
      threshold = scores[row]!;
    }
  }
  return threshold;
}

/**
 * The best score that one threshold for the whole corpus can reach, as the published scoreboards give it: the threshold
 * is chosen with the labels known. O(rows log rows).
 */
export function sweepNab(corpus: readonly NabSeries[], profile: NabProfile): NabScore {
  return scoreNab(corpus, bestThreshold(corpusRows(corpus), profile), profile);
}

/**
 * The score when the threshold of every file is chosen on other files: file i belongs to fold i mod `folds`, and the files
 * of a fold are judged at the best threshold of all others. What the swept score loses against it was luck.
 */
export function crossValidateNab(corpus: readonly NabSeries[], profile: NabProfile, folds = 5): number {
  let raw = 0;
  let windows = 0;
  let scorable = 0;
  for (let fold = 0; fold < folds; fold++) {
    const judged = corpus.filter((_, file) => file % folds === fold);
    const others = corpus.filter((_, file) => file % folds !== fold);
    const threshold = bestThreshold(corpusRows(others), profile);
    for (const series of judged) {
      const rows = nabRows(series.scores.length, series.windows);
      raw += tallyNab(series, rows, threshold, profile).raw;
      windows += series.windows.length;
      scorable += rows.scorable.length;
    }
  }
  return normaliseNab(raw, windows, scorable, profile);
}
