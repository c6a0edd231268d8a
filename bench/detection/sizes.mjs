/** Sizes of the measurements. The goals apply to the full form. */
export const FULL = {
  repetitions: 7,
  /**
   * One hot series: points that are learnt first (two weeks, so that every season is active), points per repetition.
   */
  hot: { history: 21_000, points: 200_000, batch: 1_000 },
  /** Series in alternation: 3,000 points of history are a little more than two days. */
  roundRobin: { series: 10_000, history: 3_000, batch: 5_000, batches: 100 },
  latency: { samples: 100_000, group: 50, groups: 10_000 },
  /** Many series at once: memory, checkpoint, restore. */
  population: { series: 100_000, history: 200, batch: 5_000, repetitions: 3 },
  baselines: { points: 20_000, repetitions: 3 },
};

export const QUICK = {
  ...FULL,
  repetitions: 3,
  roundRobin: { ...FULL.roundRobin, series: 2_000, batches: 40 },
  latency: { samples: 30_000, group: 50, groups: 3_000 },
  population: { ...FULL.population, series: 10_000, repetitions: 2 },
  baselines: { points: 20_000, repetitions: 1 },
};
