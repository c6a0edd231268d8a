/** A stretch of a series on an even grid. NaN: no data in that slot. */
export interface Stretch {
  /** Start of the first slot, Unix seconds; a multiple of `step`. */
  start: number;
  /** Length of a slot, seconds. */
  step: number;
  values: Float32Array;
}

/** End of the last slot, Unix seconds. */
export const endOf = ({ start, step, values }: Stretch): number => start + step * values.length;

/**
 * Rows in ascending order as slots: the mean of the rows of each slot, NaN if there are none. Times in Unix seconds.
 */
export function stretchOf(
  rows: readonly (readonly [timestamp: number, value: number | null])[],
  from: number,
  until: number,
  step: number,
): Stretch {
  const start = Math.floor(from / step) * step;
  const slots = Math.max(0, Math.floor((until - start) / step) + 1);
  const sums = new Float64Array(slots);
  const counts = new Uint32Array(slots);
  for (const [timestamp, value] of rows) {
    const slot = Math.floor((timestamp - start) / step);
    if (value === null || !Number.isFinite(value) || slot < 0 || slot >= slots) continue;
    sums[slot] = sums[slot]! + value;
    counts[slot] = counts[slot]! + 1;
  }
  return {
    start,
    step,
    values: Float32Array.from(sums, (sum, slot) => (counts[slot] === 0 ? Number.NaN : sum / counts[slot]!)),
  };
}

/** The same in longer slots; `step` is a multiple of the step of the stretch. */
export function coarser(stretch: Stretch, step: number): Stretch {
  if (step <= stretch.step) return stretch;
  const rows = Array.from(
    stretch.values,
    (value, slot) => [stretch.start + slot * stretch.step, value] as [number, number],
  );
  return stretchOf(rows, stretch.start, endOf(stretch) - 1, step);
}

/** The slots that start within [from, until); those outside of the stretch are NaN. Read-only. */
export function part(stretch: Stretch, from: number, until: number): Float32Array {
  const { start, step, values } = stretch;
  const first = Math.round((from - start) / step);
  const length = Math.max(0, Math.round((until - from) / step));
  if (first >= 0 && first + length <= values.length) return values.subarray(first, first + length);
  return Float32Array.from({ length }, (_, slot) => values[first + slot] ?? Number.NaN);
}
