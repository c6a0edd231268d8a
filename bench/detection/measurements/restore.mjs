import { readFile } from 'node:fs/promises';
import { secondsNow } from '../clock.mjs';
import { loadDetection } from '../detection.mjs';
import { digestOf } from '../digest.mjs';
import { memoryRows, settledMemory } from '../memory.mjs';
import { roundRobin } from '../series-data.mjs';

/**
 * Measures the time from the bytes of a checkpoint to a shard that has applied its first input, in a process that has
 * not learnt anything. Throws if the shard does not continue like the one whose checkpoint it was.
 */
export async function measure(task) {
  const { DetectionShard } = await loadDetection(task);
  const { series, history, batch, repetitions } = task.sizes.population;
  const [next] = roundRobin(series, history, batch, 1);
  const expected = await readFile(`${task.snapshotFile}.next`, 'utf8');
  const restored = [];
  const first = [];
  const restoreOnce = async () => {
    const bytes = await readFile(task.snapshotFile);
    const from = secondsNow();
    const shard = DetectionShard.restore(bytes);
    const between = secondsNow();
    const output = shard.apply(next);
    const until = secondsNow();
    restored.push(until - from);
    first.push(until - between);
    if (digestOf(output) !== expected) throw new Error('the restored shard gives other verdicts than the one before');
    return shard;
  };

  // Memory is measured first, while the process has not held anything else.
  const before = await settledMemory();
  let shard = await restoreOnce();
  const after = await settledMemory();
  if (shard.size !== series) throw new Error(`${shard.size} of ${series} series were restored`);
  shard = undefined;
  while (restored.length < repetitions) await restoreOnce();

  const many = series.toLocaleString('en');
  return [
    { id: 'restore', name: `restore of ${many} series and its first input`, unit: 's', samples: restored },
    { id: 'restore-first', name: `of that the first input (${batch} points)`, unit: 's', samples: first },
    ...memoryRows('restored-memory', 'memory after a restore', before, after, series),
  ];
}
