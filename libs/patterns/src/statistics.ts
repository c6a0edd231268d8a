/** Median of the finite values; NaN if there are none. */
export function median(values: ArrayLike<number>): number {
  const all = values.length;
  const finite = new Float64Array(all);
  let length = 0;
  for (let i = 0; i < all; i++) if (Number.isFinite(values[i]!)) finite[length++] = values[i]!;
  const sorted = finite.subarray(0, length).sort();
  if (length === 0) return Number.NaN;
  return length % 2 === 1 ? sorted[(length - 1) / 2]! : (sorted[length / 2 - 1]! + sorted[length / 2]!) / 2;
}

/** Factor between the median absolute deviation of a normal distribution and its standard deviation. */
const MAD_TO_DEVIATION = 1.4826;

/**
 * Standard deviation of the noise from slot to slot, from the differences of neighbours: neither a slow shape nor a
 * single step counts. 0 if fewer than four neighbours have data.
 */
export function noiseOf(values: ArrayLike<number>): number {
  const differences = new Float64Array(values.length);
  let count = 0;
  for (let slot = 1; slot < values.length; slot++) {
    const difference = values[slot]! - values[slot - 1]!;
    if (Number.isFinite(difference)) differences[count++] = Math.abs(difference);
  }
  return count < 4 ? 0 : (median(differences.subarray(0, count)) * MAD_TO_DEVIATION) / Math.SQRT2;
}

export interface Moments {
  count: number;
  mean: number;
  /** Of the population: divided by the count. */
  deviation: number;
}

/** Moments of the finite values. */
export function momentsOf(values: Float32Array): Moments {
  let count = 0;
  let sum = 0;
  for (const value of values) {
    if (!Number.isFinite(value)) continue;
    count++;
    sum += value;
  }
  const mean = count === 0 ? Number.NaN : sum / count;
  let squares = 0;
  for (const value of values) if (Number.isFinite(value)) squares += (value - mean) ** 2;
  return { count, mean, deviation: count === 0 ? Number.NaN : Math.sqrt(squares / count) };
}
