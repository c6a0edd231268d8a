import { quantile } from './statistics.mjs';

export const QUANTILES = [
  ['p50', 0.5],
  ['p99', 0.99],
  ['p99.9', 0.999],
];

/** Nanoseconds of each call of `work(index)`. */
export function nanosecondsOf(calls, work) {
  const taken = new Float64Array(calls);
  for (let i = 0; i < calls; i++) {
    const from = process.hrtime.bigint();
    work(i);
    taken[i] = Number(process.hrtime.bigint() - from);
  }
  return taken;
}

/**
 * Rows of the quantiles of a latency, with one sample per repetition. `repetitions`: the nanoseconds of each call;
 * `points`: the points of one call; `yardstick`: the seconds per point of the yardstick.
 */
export function latencyRows(id, name, repetitions, points, yardstick) {
  return QUANTILES.map(([label, share]) => {
    const samples = repetitions.map((taken) => quantile(taken, share) / points / 1e3);
    return {
      id: `${id}-${label}`,
      name: `${name}, ${label}`,
      unit: 'µs per point',
      samples,
      costs: samples.map((microseconds) => microseconds / 1e6 / yardstick),
    };
  });
}
