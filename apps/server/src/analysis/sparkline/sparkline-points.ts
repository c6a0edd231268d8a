import { type Window } from '../../common/window/window.js';
import { type SeriesPoint } from '../../data/metric/timeseries.types.js';
import { type Expectation } from '../expectation/expectation.types.js';

export interface SparklineColumns {
  points: SeriesPoint[];
  lower: (number | null)[];
  upper: (number | null)[];
}

/** Seconds between the points of a line: the shortest multiple of a stored slot that needs no more points than allowed. */
export function sparklineStep({ from, until }: Window, points: number, slotSeconds: number): number {
  return Math.max(1, Math.ceil((until - from) / points / slotSeconds)) * slotSeconds;
}

/** The line and its expected range: means over each step; null where there is nothing. */
export function sparklineOf(
  { timestamps, values, lower, upper }: Pick<Expectation, 'timestamps' | 'values' | 'lower' | 'upper'>,
  { from, until }: Window,
  step: number,
): SparklineColumns {
  // Both ends of the window may be starts of points: then the first one lies before it.
  const first = (Math.floor(from / step) + 1) * step;
  const count = Math.max(0, Math.floor((until - first) / step) + 1);
  const mean = (column: Float64Array): (number | null)[] => {
    const sums = new Float64Array(count);
    const counts = new Float64Array(count);
    for (const [row, timestamp] of timestamps.entries()) {
      const point = Math.floor((timestamp - first) / step);
      if (point < 0 || point >= count || !Number.isFinite(column[row]!)) continue;
      sums[point] = sums[point]! + column[row]!;
      counts[point] = counts[point]! + 1;
    }
    return Array.from(sums, (sum, point) => (counts[point] === 0 ? null : sum / counts[point]!));
  };
  return {
    points: mean(values).map((value, point) => [first + point * step, value]),
    lower: mean(lower),
    upper: mean(upper),
  };
}
