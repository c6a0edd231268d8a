import { seededRandom } from '#libs/synthetic';

/**
 * Seeded series for tests of this lib and of libs/evaluation. Every generator is a function of (index, Unix seconds)
 * with a separate state.
 */

export type Generator = (index: number, timestamp: number) => number;

/** First timestamp of generated series: Wednesday, 1 January 2025, 00:00 UTC. */
export const START = 1_735_689_600;
export const DAY = 86_400;

/** Uniform numbers in [0, 1). */
export { seededRandom as uniform };

/** Normal numbers (Box-Muller). */
export function normal(seed: number): () => number {
  const next = seededRandom(seed);
  return () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
}

export function white(seed: number): Generator {
  return normal(seed);
}

export function logNormal(seed: number): Generator {
  const noise = normal(seed);
  return () => Math.exp(noise());
}

export function autoregressive(seed: number, memory: number): Generator {
  const noise = normal(seed);
  let value = 0;
  return () => (value = memory * value + noise());
}

/** A sine of any period, with noise of deviation 1. */
export function wave(seed: number, periodSeconds: number, amplitude: number): Generator {
  const noise = normal(seed);
  return (_, timestamp) => amplitude * Math.sin((2 * Math.PI * (timestamp % periodSeconds)) / periodSeconds) + noise();
}

/** A daily wave of six noise deviations: highest at 06:00 UTC, lowest at 18:00. */
export function dailySine(seed: number, amplitude = 6): Generator {
  return wave(seed, DAY, amplitude);
}

/** Office traffic: a daily wave on working days, little at the weekend. */
export function workingDays(seed: number): Generator {
  const noise = normal(seed);
  return (_, timestamp) => {
    const weekday = Math.floor(timestamp / DAY + 4) % 7;
    const wave = 100 + 30 * Math.sin((2 * Math.PI * (timestamp % DAY)) / DAY);
    return (weekday === 0 || weekday === 6 ? 20 : wave) + 3 * noise();
  };
}

/** A job of half an hour at 02:00 UTC, fifty noise deviations high. */
export function nightlyJob(seed: number): Generator {
  const noise = normal(seed);
  return (_, timestamp) => (isJobTime(timestamp) ? 50 : 0) + noise();
}

function isJobTime(timestamp: number): boolean {
  const minute = Math.floor((timestamp % DAY) / 60);
  return minute >= 120 && minute < 150;
}

/** Ten minutes of 50 noise deviations, once in every period. */
export function pulses(seed: number, periodSeconds: number): Generator {
  const noise = normal(seed);
  return (_, timestamp) => (timestamp % periodSeconds < 600 ? 50 : 0) + noise();
}

/** Mostly zeros, sometimes a small count. */
export function sparseCounts(seed: number): Generator {
  const next = seededRandom(seed);
  return () => (next() < 0.02 ? 1 + Math.floor(next() * 3) : 0);
}

/** Counts with a Poisson distribution. Source: Knuth, The Art of Computer Programming, vol. 2, 3.4.1. */
export function poissonCounts(seed: number, mean: number): Generator {
  const next = seededRandom(seed);
  const limit = Math.exp(-mean);
  return () => {
    let count = 0;
    for (let product = next(); product > limit; product *= next()) count++;
    return count;
  };
}

/** Whole numbers 0 to 4 without memory: heads of four coins. */
export function fewIntegers(seed: number): Generator {
  const next = seededRandom(seed);
  const coin = (): number => (next() < 0.5 ? 1 : 0);
  return () => coin() + coin() + coin() + coin();
}

/** Whole numbers 0 to 5 that mostly stay the same: one up or down about every ten minutes. */
export function stickyInteger(seed: number): Generator {
  const next = seededRandom(seed);
  let value = 2;
  return () => {
    if (next() < 0.1) value = Math.max(0, Math.min(5, value + (next() < 0.5 ? 1 : -1)));
    return value;
  };
}

/** A counter of requests with a daily rhythm that restarts at zero every day or two, at any minute. */
export function counterWithResets(seed: number): Generator {
  const next = seededRandom(seed);
  let total = 0;
  return (_, timestamp) => {
    if (next() < 1 / 2000) total = 0;
    const rhythm = 1 + 0.5 * Math.sin((2 * Math.PI * (timestamp % DAY)) / DAY);
    return (total += Math.round(500 * rhythm + 100 * next()));
  };
}

/** A constant that changes to another value once, at a day after START, and keeps it. */
export function movedConstant(before: number, after: number, day: number): Generator {
  return (_, timestamp) => (timestamp < START + day * DAY ? before : after);
}

/** A generator in other units. */
export function scaled(base: Generator, factor: number, offset = 0): Generator {
  return (index, timestamp) => factor * base(index, timestamp) + offset;
}

/** A stored series: columns of equal length. */
export interface Rows {
  timestamps: Float64Array;
  values: Float64Array;
}

/** Rows of a generator, the first one at `start`. */
export function series(days: number, stepSeconds: number, value: Generator, start = START): Rows {
  const rows = Math.round((days * DAY) / stepSeconds);
  const timestamps = new Float64Array(rows);
  const values = new Float64Array(rows);
  for (let i = 0; i < rows; i++) {
    timestamps[i] = start + i * stepSeconds;
    values[i] = value(i, timestamps[i]!);
  }
  return { timestamps, values };
}

/** `base`, changed for `minutes` from `day` (days after START) on. `change` gets the value and the minute since then. */
export function during(
  base: Generator,
  day: number,
  minutes: number,
  change: (value: number, minute: number) => number,
): Generator {
  const from = START + Math.round(day * 1440) * 60;
  return (index, timestamp) => {
    const value = base(index, timestamp);
    const minute = (timestamp - from) / 60;
    return minute >= 0 && minute < minutes ? change(value, minute) : value;
  };
}
