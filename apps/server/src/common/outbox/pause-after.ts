const FIRST_PAUSE_SECONDS = 5;
const LONGEST_PAUSE_SECONDS = 300;

/**
 * Seconds until the next request to a failing system: doubled after each failure, up to five minutes, and randomised
 * within the upper half.
 * @param random 0 to 1
 */
export function pauseAfter(failures: number, random: number): number {
  const longest = Math.min(LONGEST_PAUSE_SECONDS, FIRST_PAUSE_SECONDS * 2 ** Math.min(failures - 1, 10));
  return longest * (0.5 + random / 2);
}
