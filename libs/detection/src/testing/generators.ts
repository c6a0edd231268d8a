/** Seeded series for this lib's tests. Every generator is a function of (index, Unix seconds) with its own state. */

export type Generator = (index: number, timestamp: number) => number;

/** First timestamp of generated series: Wednesday, 1 January 2025, 00:00 UTC. */
export const START = 1_735_689_600;
export const DAY = 86_400;

/** Uniform numbers in [0, 1). Source: mulberry32, T. Ettinger (public domain). */
export function uniform(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Normal numbers (Box-Muller). */
export function normal(seed: number): () => number {
  const next = uniform(seed);
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

/** A day's swing of six noise deviations. */
export function dailySine(seed: number, amplitude = 6): Generator {
  const noise = normal(seed);
  return (_, timestamp) => amplitude * Math.sin((2 * Math.PI * (timestamp % DAY)) / DAY) + noise();
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

export function isJobTime(timestamp: number): boolean {
  const minute = Math.floor((timestamp % DAY) / 60);
  return minute >= 120 && minute < 150;
}

/** Mostly zeros, sometimes a small count. */
export function sparseCounts(seed: number): Generator {
  const next = uniform(seed);
  return () => (next() < 0.02 ? 1 + Math.floor(next() * 3) : 0);
}

/** Rows of a generator. */
export function series(
  days: number,
  stepSeconds: number,
  value: Generator,
): { timestamps: Float64Array; values: Float64Array } {
  const rows = Math.round((days * DAY) / stepSeconds);
  const timestamps = Float64Array.from({ length: rows }, (_, i) => START + i * stepSeconds);
  const values = Float64Array.from({ length: rows }, (_, i) => value(i, timestamps[i]!));
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
