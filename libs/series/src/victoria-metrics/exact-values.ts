/*
 * VictoriaMetrics keeps numbers as decimals with one exponent for a block of samples: numbers with more digits than the
 * block can hold lose them. The series that MetricsQL reads therefore contains a number that is certainly returned
 * unchanged, which is the value or close to it; if it is not the value itself, two further series have the halves of
 * its float64 as whole numbers.
 */

/** Products of these scales and numbers below the limits are integers that any block represents exactly. */
const SCALES: readonly [below: number, scale: number][] = [
  [1e5, 1e6],
  [1e8, 1e3],
  [9e9, 1],
];
/** Numbers up to this size do not affect others of their block, provided these are whole at the finest scale. */
const LARGEST_NEIGHBOUR = 1e12;
/** Below it, the finest scale is too coarse for a number. */
const SMALLEST_NEIGHBOUR = 1e-3;
const LARGEST_SAMPLE = 1e300;
const SMALLEST_SAMPLE = 1e-300;

const double = new Float64Array(1);
const halves = new Uint32Array(double.buffer);

/** The number in the series for a value whose neighbours must be returned exactly. */
export function roundedSample(value: number): number {
  const size = Math.abs(value);
  const scale = SCALES.find(([below]) => size < below)?.[1] ?? 1;
  // Adding zero turns -0 into 0.
  return Math.round(value * scale) / scale + 0;
}

/** The same if all neighbours have their halves. */
export function roughSample(value: number): number {
  const size = Math.abs(value);
  if (size < SMALLEST_SAMPLE) return 0;
  return size > LARGEST_SAMPLE ? Math.sign(value) * LARGEST_SAMPLE : value;
}

/** True if the rounded sample equals the value to the last bit. */
export function isExact(value: number): boolean {
  return Math.abs(value) < SCALES.at(-1)![0] && Object.is(roundedSample(value), value);
}

/** True if a value would distort its neighbours, or itself be too inexact for a chart. */
export function isWild(value: number): boolean {
  const size = Math.abs(value);
  return size >= LARGEST_NEIGHBOUR || (size < SMALLEST_NEIGHBOUR && size !== 0 && !isExact(value));
}

export function halvesOf(value: number): { high: number; low: number } {
  double[0] = value;
  return { low: halves[0]!, high: halves[1]! };
}

export function valueOf(high: number, low: number): number {
  halves[0] = low;
  halves[1] = high;
  return double[0]!;
}
