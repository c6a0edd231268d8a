/**
 * Sliding z-normalised Euclidean distance. Windows are skipped by a lower bound (the distance of their segment means:
 * Keogh et al., "Dimensionality reduction for fast similarity search in large time series databases", 2001), and the
 * others are abandoned as soon as they cannot win any more (early abandoning: Rakthanmanon et al., "Searching and
 * mining trillions of time series subsequences under dynamic time warping", 2012). The result equals that of a plain
 * search.
 */

export interface Nearest {
  /** First slot of the window in the series. */
  index: number;
  /** z-normalised Euclidean distance of the two windows: 0 to 2√length. */
  distance: number;
}

const SEGMENTS = 8;
/** Deviations below this share of the largest value are rounding errors, not shape. */
const FLAT = 1e-9;

/**
 * Distance of two windows of equal length after each is scaled to mean 0 and deviation 1. A window without any shape
 * (deviation 0) equals another one without a shape, and has the distance √length to all others. Slots of one side
 * without data count as the mean of that side.
 */
export function zDistance(one: ArrayLike<number>, other: ArrayLike<number>): number {
  if (one.length !== other.length) throw new RangeError(`${one.length} slots against ${other.length}`);
  const [first, second] = [zNormalised(one), zNormalised(other)];
  let squares = 0;
  for (let slot = 0; slot < first.length; slot++) squares += (first[slot]! - second[slot]!) ** 2;
  return Math.sqrt(squares);
}

/** Pearson's correlation of windows with this distance: independent of their length. */
export const correlationOf = (distance: number, length: number): number =>
  length === 0 ? 0 : 1 - distance ** 2 / (2 * length);

/** Mean 0 and deviation 1; all zeros for a window without shape. Slots without data are 0. */
function zNormalised(values: ArrayLike<number>): Float64Array {
  const { length } = values;
  let count = 0;
  let sum = 0;
  let size = 0;
  for (let slot = 0; slot < length; slot++) {
    const value = values[slot]!;
    if (!Number.isFinite(value)) continue;
    count++;
    sum += value;
    size = Math.max(size, Math.abs(value));
  }
  const mean = sum / Math.max(1, count);
  let squares = 0;
  for (let slot = 0; slot < length; slot++) if (Number.isFinite(values[slot]!)) squares += (values[slot]! - mean) ** 2;
  const deviation = Math.sqrt(squares / Math.max(1, length));
  const normalised = new Float64Array(length);
  if (!(deviation > size * FLAT)) return normalised;
  for (let slot = 0; slot < length; slot++) {
    if (Number.isFinite(values[slot]!)) normalised[slot] = (values[slot]! - mean) / deviation;
  }
  return normalised;
}

/**
 * The window of `series` that is nearest to `query`, or null if none is nearer than `limit`. The first one wins a tie.
 */
export function nearestWindow(
  query: ArrayLike<number>,
  series: ArrayLike<number>,
  limit = Number.POSITIVE_INFINITY,
): Nearest | null {
  const { length } = query;
  if (length === 0 || length > series.length) return null;
  const wanted = zNormalised(query);
  const wantedMeans = segmentMeans(wanted);
  let best: Nearest | null = null;
  let bound = limit ** 2;
  for (let index = 0; index + length <= series.length; index++) {
    const window = zNormalised(slice(series, index, length));
    if (lowerBound(wantedMeans, segmentMeans(window), length) >= bound) continue;
    const squares = abandonedSquares(wanted, window, bound);
    if (squares >= bound) continue;
    best = { index, distance: Math.sqrt(squares) };
    bound = squares;
  }
  return best;
}

function slice(series: ArrayLike<number>, index: number, length: number): ArrayLike<number> {
  return ArrayBuffer.isView(series)
    ? (series as Float64Array).subarray(index, index + length)
    : Array.from(series).slice(index, index + length);
}

/** Means of equal segments; remaining slots belong to none. */
function segmentMeans(values: Float64Array): Float64Array {
  const size = Math.floor(values.length / SEGMENTS);
  return Float64Array.from({ length: size === 0 ? 0 : SEGMENTS }, (_, segment) => {
    let sum = 0;
    for (let slot = segment * size; slot < (segment + 1) * size; slot++) sum += values[slot]!;
    return sum / size;
  });
}

/** At most the squared distance of the windows with these means. */
function lowerBound(one: Float64Array, other: Float64Array, length: number): number {
  let squares = 0;
  for (let segment = 0; segment < one.length; segment++) squares += (one[segment]! - other[segment]!) ** 2;
  // Slightly lower, so that rounding never skips the nearest window.
  return squares * Math.floor(length / SEGMENTS) * (1 - 1e-9);
}

function abandonedSquares(one: Float64Array, other: Float64Array, bound: number): number {
  let squares = 0;
  for (let slot = 0; slot < one.length && squares < bound; slot++) squares += (one[slot]! - other[slot]!) ** 2;
  return squares;
}
