import { processorSecondsNow, secondsOf } from './clock.mjs';
import { median } from './statistics.mjs';
import { yardstickSeconds } from './yardstick.mjs';

/**
 * A row of points per second: for each of `repetitions`, first the yardstick runs over the points, then `run`.
 * `processor` contains the same per second of processor time, on all threads of the process: the throughput of one
 * core, even if other programs use the machine. Costs are processor time in multiples of that of the yardstick.
 *
 * @param inputsOf repetition → inputs (`ids`, `values`, …), created before the clock starts
 * @param run processes the inputs of one repetition
 */
export function speedRow({ id, name, repetitions, inputsOf, run, bank, placeOf }) {
  const samples = [];
  const costs = [];
  const processor = [];
  const yardsticks = [];
  for (let i = 0; i < repetitions; i++) {
    const inputs = inputsOf(i);
    const points = inputs.reduce((sum, { values }) => sum + values.length, 0);
    const yardstick = yardstickSeconds(bank, inputs, placeOf);
    yardsticks.push(yardstick);
    const before = processorSecondsNow();
    const seconds = secondsOf(() => run(inputs));
    const used = processorSecondsNow() - before;
    samples.push(points / seconds);
    processor.push(points / used);
    costs.push(used / points / yardstick);
  }
  return { row: { id, name, unit: 'points/s', samples, processor, costs }, yardstick: median(yardsticks) };
}
