import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Memory of this process after garbage collection, in bytes. `rss` is the figure of the operating system; `held` is the
 * heap and the memory outside the heap (`external`, which includes the array buffers).
 */
export async function settledMemory() {
  for (let i = 0; i < 3; i++) {
    globalThis.gc();
    // Array buffers are freed in the background.
    await sleep(100);
  }
  const { rss, heapUsed, external } = process.memoryUsage();
  return { rss, heapUsed, external, held: heapUsed + external };
}

/** Rows of the memory that `series` series added between two readings. `prefix` distinguishes the ids of two uses. */
export function memoryRows(prefix, title, before, after, series) {
  const row = (id, what, field) => ({
    id: `${prefix}-${id}`,
    name: `${title}: ${what}`,
    unit: 'bytes per series',
    samples: [(after[field] - before[field]) / series],
  });
  return [
    row('rss', 'process (RSS)', 'rss'),
    row('held', 'heap and array buffers', 'held'),
    row('heap', 'heap alone', 'heapUsed'),
  ];
}
