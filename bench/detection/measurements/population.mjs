import { writeFile } from 'node:fs/promises';
import { secondsOf } from '../clock.mjs';
import { loadDetection } from '../detection.mjs';
import { digestOf } from '../digest.mjs';
import { learn } from '../learnt-shard.mjs';
import { memoryRows, settledMemory } from '../memory.mjs';
import { placeOf, roundRobin } from '../series-data.mjs';
import { speedRow } from '../speed.mjs';
import { EwmaBank } from '../yardstick.mjs';

/**
 * Series of the shard that is filled and dropped before the first reading: code and buffers do not count for the
 * series.
 */
const REHEARSAL_SERIES = 500;

/**
 * Measures a whole shard: its memory, its checkpoint (written to `task.snapshotFile` for the restore), and its speed.
 */
export async function measure(task) {
  const { DetectionShard } = await loadDetection(task);
  const { series, history, batch, repetitions } = task.sizes.population;
  learn(new DetectionShard(), REHEARSAL_SERIES, history);
  const before = await settledMemory();
  const shard = new DetectionShard();
  learn(shard, series, history);
  const after = await settledMemory();

  let bytes;
  const taken = [];
  for (let i = 0; i < repetitions; i++) {
    bytes = undefined;
    taken.push(secondsOf(() => (bytes = shard.snapshot())));
  }
  const size = bytes.length;
  const [next] = roundRobin(series, history, batch, 1);
  await writeFile(task.snapshotFile, bytes);
  await writeFile(`${task.snapshotFile}.next`, digestOf(shard.apply(next)));
  bytes = undefined;

  const many = series.toLocaleString('en');
  const { row } = speedRow({
    id: 'population',
    name: `${many} series in turn, inputs of ${batch}`,
    repetitions,
    inputsOf: (repetition) => roundRobin(series, history + 1 + 5 * repetition, batch, Math.ceil((5 * series) / batch)),
    run: (inputs) => {
      for (const input of inputs) shard.apply(input);
    },
    bank: new EwmaBank(series),
    placeOf,
  });
  return [
    ...memoryRows('memory', `memory of ${many} series`, before, after, series),
    { id: 'checkpoint', name: `checkpoint of ${many} series`, unit: 's', samples: taken },
    { id: 'checkpoint-size', name: 'checkpoint, size', unit: 'bytes', samples: [size] },
    {
      id: 'checkpoint-series',
      name: 'checkpoint, size per series',
      unit: 'bytes per series',
      samples: [size / series],
    },
    row,
  ];
}
