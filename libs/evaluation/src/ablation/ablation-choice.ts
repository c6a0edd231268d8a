import { seededRandom } from '#libs/detection/testing';

/** The result of a choice on files that did not influence it. */
export interface HeldOutChoice {
  /** Sum over all files, each with the candidate chosen on other folds. */
  worth: number;
  /** Candidate chosen for each fold. */
  chosen: number[];
}

/** The fold of each file: shuffled; the sizes of folds differ by at most one. */
function foldsOf(files: number, folds: number, seed: number): Uint8Array {
  const random = seededRandom(seed);
  const foldOf = Uint8Array.from({ length: files }, (_, file) => file % folds);
  // Fisher & Yates.
  for (let left = files - 1; left > 0; left--) {
    const other = Math.floor(random() * (left + 1));
    [foldOf[left], foldOf[other]] = [foldOf[other]!, foldOf[left]!];
  }
  return foldOf;
}

/**
 * Cross-validated choice: for each fold, the candidate with the highest worth on all other files is judged on the files
 * of the fold. `candidates`: the worth of each candidate on each file; of equal ones the first is chosen. O(folds *
 * candidates * files).
 */
export function chooseHeldOut(candidates: readonly Float64Array[], folds: number, seed: number): HeldOutChoice {
  const foldOf = foldsOf(candidates[0]?.length ?? 0, folds, seed);
  const worthOf = (candidate: Float64Array, isCounted: (fold: number) => boolean): number =>
    candidate.reduce((sum, worth, file) => (isCounted(foldOf[file]!) ? sum + worth : sum), 0);
  let worth = 0;
  const chosen = Array.from({ length: folds }, (_, fold) => {
    let best = 0;
    let most = -Infinity;
    candidates.forEach((candidate, i) => {
      const elsewhere = worthOf(candidate, (other) => other !== fold);
      if (elsewhere > most) [best, most] = [i, elsewhere];
    });
    if (candidates.length > 0) worth += worthOf(candidates[best]!, (other) => other === fold);
    return best;
  });
  return { worth, chosen };
}
