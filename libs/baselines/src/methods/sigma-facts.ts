import { type DayWindow } from './day-window.js';
import { type SortedValues } from './sorted-values.js';
import { type WeightedDeviation } from './weighted-deviation.js';

const { abs, max, sqrt } = Math;

/** Smaller differences, relative to the largest value, are caused by rounding. */
const ROUNDING = 1e-10;

/** Mean, relative to the tail, and sample standard deviation of some values. */
export interface Moments {
  mean: number;
  deviation: number;
}

/**
 * The input of the voting tests: facts about a window and its newest row. The tail is the mean of the last three
 * values; means are relative to it, so that they are distances from it, and equal values result in exactly 0.
 */
export interface SigmaFacts {
  count: number;
  value: number;
  tail: number;
  sorted: SortedValues;
  average: WeightedDeviation;
  all: Moments;
  /** All values except the newest. */
  rest: Moments;
  /** Null while the window is incomplete. */
  firstHour: Moments | null;
  /** Residuals of a straight line through all values: mean of the last three, and deviation. */
  line: Moments;
  /** Distances up to this value are caused by rounding. */
  rounding: number;
}

function momentsOf(sum: number, squares: number, count: number): Moments {
  const mean = sum / count;
  return { mean, deviation: sqrt(max(0, squares - sum * mean) / (count - 1)) };
}

function firstHourOf(window: DayWindow, tail: number): Moments | null {
  const { from, firstHourEnd, values } = window;
  if (firstHourEnd - from < 2) return null;
  let [sum, squares] = [0, 0];
  for (let row = from; row < firstHourEnd; row++) {
    const x = values[row]! - tail;
    sum += x;
    squares += x * x;
  }
  return momentsOf(sum, squares, firstHourEnd - from);
}

/** One pass over the window, which contains at least four rows. */
export function sigmaFacts(window: DayWindow, average: WeightedDeviation): SigmaFacts {
  const { from, to, timestamps, values, sorted } = window;
  const count = to - from;
  const now = timestamps[to - 1]!;
  const value = values[to - 1]!;
  const tail = value + (values[to - 2]! - value + (values[to - 3]! - value)) / 3;
  // Values relative to the tail and times relative to the newest row: large offsets would lose precision.
  let [sum, squares, times, timeSquares, products] = [0, 0, 0, 0, 0];
  for (let row = from; row < to; row++) {
    const x = values[row]! - tail;
    const t = timestamps[row]! - now;
    sum += x;
    squares += x * x;
    times += t;
    timeSquares += t * t;
    products += t * x;
  }
  const all = momentsOf(sum, squares, count);
  const last = value - tail;
  const meanTime = times / count;
  const covariance = products - times * all.mean;
  const slope = covariance / (timeSquares - times * meanTime);
  const tailTime = (timestamps[to - 2]! + timestamps[to - 3]! - 2 * now) / 3;
  return {
    count,
    value,
    tail,
    sorted,
    average,
    all,
    rest: momentsOf(sum - last, squares - last * last, count - 1),
    firstHour: firstHourOf(window, tail),
    line: {
      mean: -all.mean - slope * (tailTime - meanTime),
      deviation: sqrt(max(0, squares - sum * all.mean - slope * covariance) / (count - 1)),
    },
    rounding: ROUNDING * max(abs(sorted.at(0)), abs(sorted.at(count - 1))),
  };
}
