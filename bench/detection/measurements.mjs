/** The measurements in the order in which they run: name → module with `measure(task)`, which resolves to rows. */
export const MEASUREMENTS = {
  'hot-rows': './measurements/hot-rows.mjs',
  'hot-shard': './measurements/hot-shard.mjs',
  'round-robin': './measurements/round-robin.mjs',
  population: './measurements/population.mjs',
  // Reads the snapshot that `population` writes.
  restore: './measurements/restore.mjs',
  baselines: './measurements/baselines.mjs',
};
