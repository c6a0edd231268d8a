import { loadDetection } from '../detection.mjs';
import { latencyRows, nanosecondsOf } from '../latency.mjs';
import { learn } from '../learnt-shard.mjs';
import { emptyInput, placeOf, roundRobin } from '../series-data.mjs';
import { speedRow } from '../speed.mjs';
import { EwmaBank } from '../yardstick.mjs';

/** Measures one series in a shard: inputs of many points, inputs of one point, and the speed within an input. */
export async function measure(task) {
  const { DetectionShard } = await loadDetection(task);
  const { repetitions, hot, latency } = task.sizes;
  const shard = new DetectionShard();
  learn(shard, 1, hot.history);
  let step = hot.history;
  const take = (points, size) => {
    const inputs = roundRobin(1, step, size, points / size);
    step += points;
    return inputs;
  };

  const { row, yardstick } = speedRow({
    id: 'hot-shard',
    name: `one series, shard, inputs of ${hot.batch}`,
    repetitions,
    inputsOf: () => take(hot.points, hot.batch),
    run: (inputs) => {
      for (const input of inputs) shard.apply(input);
    },
    bank: new EwmaBank(1),
    placeOf,
  });

  const grouped = [];
  const single = [];
  const timer = [];
  for (let i = 0; i < repetitions; i++) {
    const inputs = take(latency.group * latency.groups, latency.group);
    grouped.push(nanosecondsOf(inputs.length, (group) => shard.apply(inputs[group])));
    const points = take(latency.samples, latency.samples)[0];
    const one = emptyInput('live', 1);
    single.push(
      nanosecondsOf(latency.samples, (row) => {
        one.ids[0] = points.ids[row];
        one.timestamps[0] = one.now = points.timestamps[row];
        one.values[0] = points.values[row];
        shard.apply(one);
      }),
    );
    timer.push(nanosecondsOf(latency.samples, () => undefined));
  }
  return [
    row,
    ...latencyRows('hot-group', `one series, mean of ${latency.group} in an input`, grouped, latency.group, yardstick),
    ...latencyRows('hot-single', 'one series, inputs of one point', single, 1, yardstick),
    ...latencyRows('timer', 'the timer itself (contained in the above)', timer, 1, yardstick).slice(0, 1),
  ];
}
