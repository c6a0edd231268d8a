import { loadDetection } from '../detection.mjs';
import { latencyRows, nanosecondsOf } from '../latency.mjs';
import { learn } from '../learnt-shard.mjs';
import { emptyInput, placeOf, roundRobin } from '../series-data.mjs';
import { speedRow } from '../speed.mjs';
import { EwmaBank } from '../yardstick.mjs';

/** Measures many series in alternation, so that the state of a series is not in the cache when its point is applied. */
export async function measure(task) {
  const { DetectionShard } = await loadDetection(task);
  const { repetitions, latency } = task.sizes;
  const { series, history, batch, batches } = task.sizes.roundRobin;
  const shard = new DetectionShard();
  learn(shard, series, history);
  let step = history;
  const take = (count, size) => {
    const inputs = roundRobin(series, step, size, count);
    step += Math.ceil((count * size) / series);
    return inputs;
  };

  const { row, yardstick } = speedRow({
    id: 'round-robin',
    name: `${series.toLocaleString('en')} series in turn, inputs of ${batch}`,
    repetitions,
    inputsOf: () => take(batches, batch),
    run: (inputs) => {
      for (const input of inputs) shard.apply(input);
    },
    bank: new EwmaBank(series),
    placeOf,
  });

  const single = [];
  const one = emptyInput('live', 1);
  for (let i = 0; i < repetitions; i++) {
    const [points] = take(1, latency.samples);
    single.push(
      nanosecondsOf(latency.samples, (index) => {
        one.ids[0] = points.ids[index];
        one.timestamps[0] = one.now = points.timestamps[index];
        one.values[0] = points.values[index];
        shard.apply(one);
      }),
    );
  }
  return [row, ...latencyRows('round-robin-single', 'series in turn, inputs of one point', single, 1, yardstick)];
}
