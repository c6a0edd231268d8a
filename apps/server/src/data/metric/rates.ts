/** Values of one series as columns, ascending timestamps (Unix seconds). */
export interface ValueColumns {
  timestamps: ArrayLike<number>;
  values: ArrayLike<number>;
}

/**
 * Rate per second up to each point, never negative; NaN for the first point, which has no predecessor. A counter that
 * falls was reset and counts from 0 again; for any other series that falls the rate is 0.
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

/**
 * Mean rate of each longer point of `step` seconds, identified by its start: the increase of the series divided by its
 * duration. A rate counts for the point in which its interval ends; NaN rates and points without rates are omitted.
 */
export function meanRates(
  { timestamps }: Pick<ValueColumns, 'timestamps'>,
  rates: ArrayLike<number>,
  step: number,
): { timestamps: number[]; values: number[] } {
  const means = { timestamps: [] as number[], values: [] as number[] };
  let gained = 0;
  let seconds = 0;
  for (let i = 1; i < timestamps.length; i++) {
    const rate = rates[i]!;
    if (!Number.isFinite(rate)) continue;
    const start = Math.floor(timestamps[i]! / step) * step;
    const isNew = means.timestamps[means.timestamps.length - 1] !== start;
    if (isNew) [gained, seconds] = [0, 0];
    const taken = timestamps[i]! - timestamps[i - 1]!;
    gained += rate * taken;
    seconds += taken;
    if (isNew) {
      means.timestamps.push(start);
      means.values.push(0);
    }
    means.values[means.values.length - 1] = gained / seconds;
  }
  return means;
}
