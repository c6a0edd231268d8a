import { NAB_PROFILES, type NabProfile, type NabScore, type NabSeries, scoreNab } from '#libs/baselines';
import { crossValidateNab, rankCorpus, sweepNab } from './nab-sweep.js';

const FOLDS = 5;

/** The results of one column of scores on the corpus, for one profile. */
export interface NabFigures {
  profile: NabProfile;
  /** At the given threshold. */
  fixed: NabScore;
  /** At the best threshold, chosen with the labels known. */
  swept: NabScore;
  /** Points that the given threshold loses compared with the best one. */
  thresholdLoss: number;
  /** With the threshold of each file chosen on other files, five folds. */
  crossValidated: number;
}

/** All three profiles; `threshold` is the shipped one, the same for every file. O(rows log rows). */
export function nabFigures(corpus: readonly NabSeries[], threshold: number): NabFigures[] {
  const ranked = rankCorpus(corpus);
  return NAB_PROFILES.map((profile) => {
    const fixed = scoreNab(corpus, threshold, profile);
    const swept = sweepNab(corpus, profile, ranked);
    return {
      profile,
      fixed,
      swept,
      thresholdLoss: swept.score - fixed.score,
      crossValidated: crossValidateNab(corpus, profile, FOLDS, ranked),
    };
  });
}
