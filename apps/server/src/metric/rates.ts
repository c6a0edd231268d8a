/** Values of one series as columns, timestamps rising (Unix seconds). */
export interface ValueColumns {
  timestamps: ArrayLike<number>;
  values: ArrayLike<number>;
}

/**
 * Per-second rate of change up to each point, never negative; NaN for the first point, which has no past. A counter that
 * falls was reset and counts from 0 again; any other series that falls has a rate of 0.
 */
export function ratesOf({ timestamps, values }: ValueColumns, isCounter: boolean): Float64Array {
  const rates = new Float64Array(timestamps.length).fill(Number.NaN);
  for (let i = 1; i < timestamps.length; i++) {
    const value = values[i]!;
    const before = values[i - 1]!;
    const increase = value >= before ? value - before : isCounter ? Math.max(value, 0) : 0;
    rates[i] = increase / (timestamps[i]! - timestamps[i - 1]!);
  }
  return rates;
}
