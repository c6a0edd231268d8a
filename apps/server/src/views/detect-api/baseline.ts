/** The usual behaviour of a series as a whole: level, recurring pattern, and the spread of values around both. */
export interface Baseline {
  /** Per row, without the pattern. */
  level: Float64Array;
  /** Level and pattern, per row. */
  expected: Float64Array;
  /** Robust standard deviation of the residuals. */
  scale: number;
  /**
   * The residuals of the series, with its few outliers set to 0; scaled to the size that they have for future values.
   */
  residuals: Float64Array;
}

/** Factor from the median absolute deviation of normal noise to its standard deviation. */
const MAD_TO_SIGMA = 1.4826;
const OUTLIER_SCALES = 6;
/** Maximum share of outliers: a larger share is behaviour of the series. */
const MAX_OUTLIERS = 0.05;
const MIN_WINDOW = 11;
const MAX_WINDOW = 201;
/** Number of positions per window at which a median is computed. */
const PLACES = 20;
/**
 * Minimum correlation of a lag that is a period, and the value below which the correlation must fall before that lag.
 */
const PERIODIC = 0.5;
const VALLEY = 0.3;
/** The shortest lag that correlates nearly as well as the best one is the period. */
const NEARLY = 0.9;
const NEARBY = 0.2;
const MIN_CYCLES = 3;

/** Level (rolling median), pattern (median of each phase) and scale. `period` in rows, 0 for none. */
export function baselineOf(values: Float64Array, period: number): Baseline {
  const tenth = Math.min(MAX_WINDOW, Math.floor(values.length / 10));
  const level = rollingMedian(values, Math.max(MIN_WINDOW, period > 0 ? 2 * period : tenth), period);
  const residuals = values.map((value, row) => value - level[row]!);
  const pattern = patternOf(residuals, period);
  const expected = level.map((value, row) => value + (period > 0 ? pattern[row % period]! : 0));
  const distances = values.map((value, row) => value - expected[row]!);
  const scale = MAD_TO_SIGMA * medianOf(distances.map(Math.abs));
  const least = Math.max(OUTLIER_SCALES * scale, usualExtent(distances));
  // The pattern contains a part of the noise that it was computed from.
  const cycles = period > 0 ? values.length / period : Infinity;
  const stretch = cycles > 1 && cycles < Infinity ? Math.sqrt(cycles / (cycles - 1)) : 1;
  const left = distances.map((distance) =>
    Number.isNaN(distance) || Math.abs(distance) > least ? 0 : distance * stretch,
  );
  return { level, expected, scale: scale * stretch, residuals: left };
}

/** The distance that all but the few largest distances do not exceed. */
function usualExtent(distances: Float64Array): number {
  const sizes = distances.filter((distance) => !Number.isNaN(distance)).map(Math.abs);
  const outliers = Math.max(1, Math.floor(MAX_OUTLIERS * sizes.length));
  return sizes.sort().at(-1 - outliers) ?? 0;
}

function patternOf(residuals: Float64Array, period: number): Float64Array {
  const phases = Array.from({ length: period }, (): number[] => []);
  if (period > 0) for (const [row, value] of residuals.entries()) phases[row % period]!.push(value);
  const medians = Float64Array.from(phases, (values) => medianOf(Float64Array.from(values)));
  return medians.map((value) => (Number.isNaN(value) ? 0 : value));
}

/**
 * The median of a window around each row: computed at some positions, linear between them. If there is a pattern,
 * windows consist of whole periods, so that the level does not follow the pattern: they are shorter near the ends, and
 * do not extend beyond the ends.
 * @param period length of the pattern in rows, 0 for none
 */
function rollingMedian(values: Float64Array, width: number, period: number): Float64Array {
  const whole = medianOf(values);
  const count = values.length;
  const last = count - 1;
  const apart = Math.ceil(width / PLACES);
  const places = Math.ceil(last / apart) + 1;
  const medians = Float64Array.from({ length: places }, (_, place) => {
    const [from, until] = windowAround(Math.min(last, place * apart), count, width, period);
    const median = medianOf(values.subarray(from, until));
    return Number.isNaN(median) ? whole : median;
  });
  return values.map((_, row) => {
    const place = Math.floor(row / apart);
    const share = (row - place * apart) / apart;
    return (1 - share) * medians[place]! + share * (medians[place + 1] ?? medians[place]!);
  });
}

/** Rows of the window around a row; the end is exclusive. */
function windowAround(row: number, count: number, width: number, period: number): [from: number, until: number] {
  const around = (rows: number): [number, number] => {
    const from = row - Math.floor(rows / 2);
    return [from, from + rows];
  };
  const isInside = ([from, until]: [number, number]): boolean => from >= 0 && until <= count;
  if (period === 0 || period > count) {
    const [from, until] = around(width);
    return [Math.max(0, from), Math.min(count, until)];
  }
  const fitting = [2 * period, period].map(around).find(isInside);
  if (fitting !== undefined) return fitting;
  const from = Math.min(Math.max(0, around(period)[0]), count - period);
  return [from, from + period];
}

/** The median of the values that are not NaN; NaN if there is none. */
export function medianOf(values: Float64Array): number {
  const known = values.filter((value) => !Number.isNaN(value)).sort();
  const { length } = known;
  if (length === 0) return NaN;
  const middle = length >> 1;
  return length % 2 === 1 ? known[middle]! : (known[middle - 1]! + known[middle]!) / 2;
}

/** Length of the recurring pattern of a series in rows, by its autocorrelation; 0 if there is none. */
export function findPeriod(values: Float64Array): number {
  const rows = values.length;
  const middle = medianOf(values);
  const spread = OUTLIER_SCALES * MAD_TO_SIGMA * medianOf(values.map((value) => Math.abs(value - middle)));
  if (!(spread > 0)) return 0;
  const slope = slopeOf(values);
  const even = values.map((value, row) => {
    const distance = value - middle - slope * (row - (rows - 1) / 2);
    return Number.isNaN(distance) ? 0 : Math.max(-spread, Math.min(spread, distance));
  });
  const mostLag = Math.floor(rows / MIN_CYCLES);
  const correlations = Float64Array.from({ length: mostLag + 1 }, (_, lag) => correlationAt(even, lag));
  const isPeak = (lag: number): boolean =>
    correlations[lag]! >= correlations[lag - 1]! && correlations[lag]! >= (correlations[lag + 1] ?? -1);
  const valley = correlations.findIndex((correlation) => correlation < VALLEY);
  if (valley < 0) return 0;
  const best = Math.max(...correlations.subarray(Math.max(2, valley)));
  if (!(best >= PERIODIC)) return 0;
  for (let lag = Math.max(2, valley); lag <= mostLag; lag++) {
    if (correlations[lag]! >= NEARLY * best && isPeak(lag)) return highestAround(correlations, lag);
  }
  return 0;
}

/** Noise causes separate peaks next to that of the period. */
function highestAround(correlations: Float64Array, lag: number): number {
  const nearby = correlations.subarray(lag, Math.floor(lag * (1 + NEARBY)) + 1);
  return lag + nearby.indexOf(Math.max(...nearby));
}

/** The slope per row from the first to the last quarter. */
function slopeOf(level: Float64Array): number {
  const quarter = Math.max(1, level.length >> 2);
  const rise = medianOf(level.subarray(-quarter)) - medianOf(level.subarray(0, quarter));
  return rise / Math.max(1, level.length - quarter);
}

function correlationAt(values: Float64Array, lag: number): number {
  let product = 0;
  let first = 0;
  let second = 0;
  for (let row = lag; row < values.length; row++) {
    const [a, b] = [values[row]!, values[row - lag]!];
    product += a * b;
    first += a * a;
    second += b * b;
  }
  const norm = Math.sqrt(first * second);
  return norm > 0 ? product / norm : 0;
}

/** Maximum deviation of a steadily rising level from a line, as a share of its rise. */
const STEADY_SHARE = 0.1;

/** The slope of a level that rises or falls steadily, per row; 0 otherwise. */
export function steadySlope(level: Float64Array): number {
  const slope = slopeOf(level);
  const middle = medianOf(level);
  const center = (level.length - 1) / 2;
  const off = medianOf(level.map((value, row) => Math.abs(value - middle - slope * (row - center))));
  return off <= STEADY_SHARE * Math.abs(slope * level.length) ? slope : 0;
}
