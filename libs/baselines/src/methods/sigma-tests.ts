import { grubbsCritical } from './grubbs.js';
import { type Moments, type SigmaFacts } from './sigma-facts.js';
import { type SortedValues } from './sorted-values.js';

const { abs, floor } = Math;

export const DEVIATIONS = 3;
const MEDIAN_DEVIATIONS = 6;
const BINS = 15;
/** Maximum number of values in a rare bin of the histogram. */
const RARE = 20;

function isFar(distance: number, { deviation }: { deviation: number }, { rounding }: SigmaFacts): boolean {
  return distance > DEVIATIONS * deviation && distance > rounding;
}

function isTailFar(moments: Moments | null, facts: SigmaFacts): boolean {
  return moments !== null && isFar(abs(moments.mean), moments, facts);
}

/** Votes yes if the tail is in a bin with few values; in the lowest bin only if it is the minimum itself. */
export function isInRareBin(sorted: SortedValues, tail: number): boolean {
  const lowest = sorted.at(0);
  const highest = sorted.at(sorted.count - 1);
  const width = (highest - lowest) / BINS;
  // The highest value ends the last bin, but is not in it.
  if (!(width > 0) || tail >= highest) return false;
  const bin = floor((tail - lowest) / width);
  if (bin === 0 && tail > lowest) return false;
  const upTo = bin >= BINS - 1 ? sorted.count : sorted.countBelow(lowest + (bin + 1) * width);
  return upTo - sorted.countBelow(lowest + bin * width) <= RARE;
}

/** Upward only, as in the source. */
function grubbs({ all, count, rounding }: SigmaFacts): boolean {
  return -all.mean / all.deviation > grubbsCritical(count) && -all.mean > rounding;
}

function medianDeviation({ sorted, value }: SigmaFacts): boolean {
  const median = sorted.median();
  const deviation = sorted.medianDistance(median);
  return deviation > 0 && abs(value - median) / deviation > MEDIAN_DEVIATIONS;
}

/** The voting tests. A test that cannot be computed votes no. */
export const SIGMA_TESTS: readonly ((facts: SigmaFacts) => boolean)[] = [
  ({ sorted, tail }) => isInRareBin(sorted, tail),
  (facts) => isTailFar(facts.firstHour, facts),
  (facts) => isTailFar(facts.all, facts),
  grubbs,
  (facts) => isFar(abs(facts.value - facts.tail - facts.rest.mean), facts.rest, facts),
  medianDeviation,
  (facts) => isFar(facts.average.distance(facts.value), facts.average, facts),
  (facts) => isTailFar(facts.line, facts),
];
