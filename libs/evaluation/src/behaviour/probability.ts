const { exp, log } = Math;

/** Probability of at most `hits` successes in `tries` (whole numbers), each with probability `share`. */
export function binomialAtMost(hits: number, tries: number, share: number): number {
  if (share >= 1) return hits >= tries ? 1 : 0;
  let total = 0;
  let logChoices = 0;
  for (let k = 0; k <= hits; k++) {
    total += exp(logChoices + k * log(share) + (tries - k) * log(1 - share));
    logChoices += log(tries - k) - log(k + 1);
  }
  return total;
}

/** Probability of `events` or more when `mean` are expected. */
export function poissonAtLeast(events: number, mean: number): number {
  let term = exp(-mean);
  let below = 0;
  for (let k = 0; k < events; k++) {
    below += term;
    term *= mean / (k + 1);
  }
  return 1 - below;
}
