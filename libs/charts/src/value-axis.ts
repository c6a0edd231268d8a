import { axisLabels } from './number-format.js';

export interface ValueAxis {
  min: number;
  max: number;
  ticks: number[];
  labels: string[];
}

/** For larger values, the span of an axis would no longer be a finite number. */
const LARGEST_DRAWN = 4e307;
/**
 * Smaller numbers have no fixed notation (which ends at 100 decimals), but drawing needs one: they are drawn as zero.
 */
const SMALLEST_DRAWN = 1e-80;

/** The value in the form in which it is drawn: NaN for gaps and infinities. */
export function drawnValue(value: number): number {
  if (!Number.isFinite(value)) return NaN;
  if (Math.abs(value) < SMALLEST_DRAWN) return 0;
  return Math.max(-LARGEST_DRAWN, Math.min(LARGEST_DRAWN, value));
}

/** Lowest and highest finite number of the columns; null if there is none. */
export function extentOf(...columns: number[][]): { min: number; max: number } | null {
  let min = Infinity;
  let max = -Infinity;
  for (const column of columns) {
    for (const raw of column) {
      const value = drawnValue(raw);
      if (value < min) min = value;
      if (value > max) max = value;
    }
  }
  return min <= max ? { min, max } : null;
}

/** 1, 2, 2.5 or 5 times a power of ten, at least `least`. */
function niceStep(least: number): number {
  const exponent = Math.floor(Math.log10(least));
  for (const factor of [1, 2, 2.5, 5]) {
    // Parsed from text, because 10 ** -7 is not the double nearest to 1e-7.
    const step = Number(`${factor}e${exponent}`);
    if (step >= least * (1 - 1e-9)) return step;
  }
  return Number(`1e${exponent + 1}`);
}

/** Minimum number of steps between the ends of an axis: fewer would leave much of the picture empty. */
const MIN_STEPS = 5;

/** Multiples of `step` from the first at or above `min` to the last at or below `max`. */
function multiples(step: number, min: number, max: number): number[] {
  const decimals = Math.max(0, Math.min(100, 1 - Math.floor(Math.log10(step))));
  const ticks: number[] = [];
  for (let k = Math.ceil(min / step - 1e-9); k <= Math.floor(max / step + 1e-9); k++) {
    const tick = k * step;
    ticks.push(Math.abs(tick) < 1e21 ? Number(tick.toFixed(decimals)) : tick);
  }
  return ticks;
}

/**
 * Round ends and ticks for a range of values. Zero is an end if the values are near it; a single value is centred.
 * There are at most `maxTicks` (≥ 2) ticks, if at least one remains.
 */
export function valueAxis(extent: { min: number; max: number }, maxTicks: number): ValueAxis {
  let { min, max } = extent;
  const size = Math.max(Math.abs(min), Math.abs(max));
  // A span below the resolution of doubles at this magnitude would result in ticks with identical numbers.
  if (max - min <= size * 1e-12) {
    const half = size === 0 ? 1 : size * 0.1;
    min = size === 0 ? 0 : min - half;
    max += half;
  }
  if (min > 0 && min < 0.4 * max) min = 0;
  if (max < 0 && max > 0.4 * min) max = 0;
  const endStep = niceStep((max - min) / Math.max(MIN_STEPS, maxTicks - 1));
  const low = Math.floor(min / endStep + 1e-9) * endStep;
  const high = Math.ceil(max / endStep - 1e-9) * endStep;
  let ticks = multiples(endStep, low, high);
  for (let step = endStep; ticks.length > Math.max(2, maxTicks);) {
    step = niceStep(step * 1.5);
    const fewer = multiples(step, low, high);
    if (fewer.length === 0) break;
    ticks = fewer;
  }
  return { min: low, max: high, ticks, labels: axisLabels(ticks) };
}
