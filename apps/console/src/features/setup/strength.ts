import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common';

/**
 * Maximum number of evaluated characters: the estimate takes longer with every character, and further ones do not
 * change it.
 */
const MAX_JUDGED = 64;

const zxcvbn = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs });

export interface Strength {
  /** 0 (guessed immediately) to 4. */
  score: number;
  /** Why it is weak, as a key of `words.warnings`. */
  warning: string | null;
}

/** How hard a password is to guess for a person who knows the texts in `own`: name, address, organisation. */
export function strengthOf(password: string, own: readonly string[]): Strength {
  const { score, feedback } = zxcvbn.check(password.slice(0, MAX_JUDGED), [...own]);
  return { score, warning: feedback.warning };
}
