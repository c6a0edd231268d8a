/** How strongly two series move together, and by how much one follows the other. */
export interface Correlation {
  /** −1..1 */
  coefficient: number;
  /** Slots; positive: the second follows the first. */
  lag: number;
}

/** With fewer pairs of values chance decides. */
const FEWEST_PAIRS = 30;

/**
 * The lag at which two series of the same slots correlate most, of all from −`mostLag` to `mostLag`; of equals the one
 * nearest to none. Correlated are the changes from slot to slot: levels that merely rise or fall both would always seem
 * related. Missing values are null. Null where the series have too little in common to say, or one of them never changes.
 */
export function correlate(
  first: readonly (number | null)[],
  second: readonly (number | null)[],
  mostLag: number,
): Correlation | null {
  const [one, other] = [changesOf(first), changesOf(second)];
  let best: Correlation | null = null;
  for (let distance = 0; distance <= mostLag; distance++) {
    for (const lag of distance === 0 ? [0] : [distance, -distance]) {
      const coefficient = pearson(one, other, lag);
      if (coefficient === null) continue;
      if (best === null || Math.abs(coefficient) > Math.abs(best.coefficient) + 1e-9) best = { coefficient, lag };
    }
  }
  return best;
}

function changesOf(values: readonly (number | null)[]): Float64Array {
  const changes = new Float64Array(Math.max(0, values.length - 1));
  for (let i = 0; i < changes.length; i++) {
    const [before, after] = [values[i] ?? null, values[i + 1] ?? null];
    changes[i] = before === null || after === null ? NaN : after - before;
  }
  return changes;
}

function pearson(one: Float64Array, other: Float64Array, lag: number): number | null {
  let [pairs, sumX, sumY, sumXX, sumYY, sumXY] = [0, 0, 0, 0, 0, 0];
  for (let i = Math.max(0, -lag); i < one.length && i + lag < other.length; i++) {
    const x = one[i]!;
    const y = other[i + lag]!;
    if (Number.isNaN(x) || Number.isNaN(y)) continue;
    pairs++;
    sumX += x;
    sumY += y;
    sumXX += x * x;
    sumYY += y * y;
    sumXY += x * y;
  }
  if (pairs < FEWEST_PAIRS) return null;
  const spreadX = sumXX - (sumX * sumX) / pairs;
  const spreadY = sumYY - (sumY * sumY) / pairs;
  // What rounding leaves of a series that never changes is no spread.
  if (spreadX <= 1e-12 * sumXX || spreadY <= 1e-12 * sumYY) return null;
  return Math.max(-1, Math.min(1, (sumXY - (sumX * sumY) / pairs) / Math.sqrt(spreadX * spreadY)));
}
