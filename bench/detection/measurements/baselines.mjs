import { secondsOf } from '../clock.mjs';
import { loadBaselines, loadDetection } from '../detection.mjs';
import { definitionOf, placeOf, seriesBySeries } from '../series-data.mjs';
import { speedRow } from '../speed.mjs';
import { EwmaBank } from '../yardstick.mjs';

const HOT = 0;
/** Warm-up of a method for the compiler; slow ones get one run. */
const WARM_UP_SECONDS = 0.5;
/** A baseline that takes longer than this for the series is measured once. */
const SLOW_SECONDS = 5;

/** Measures the detector, and all baselines of the build, on one short series. */
export async function measure(task) {
  const { detectSeries } = await loadDetection(task);
  const { points, repetitions } = task.sizes.baselines;
  const { type, aggregation, timezone } = definitionOf(HOT);
  const detector = {
    id: 'detectSeries',
    run: (timestamps, values) => detectSeries(timestamps, values, { type, aggregation, timezone }),
  };
  const rows = [];
  for (const method of [detector, ...(await loadBaselines(task))]) {
    const input = seriesBySeries('backfill', HOT, 1, 0, points);
    const once = () => method.run(input.timestamps, input.values);
    let warmUp = 0;
    while (warmUp < WARM_UP_SECONDS) warmUp += secondsOf(once);
    const { row } = speedRow({
      id: `baseline-${method.id}`,
      name: `${points.toLocaleString('en')} points, ${method.id}`,
      repetitions: warmUp > SLOW_SECONDS ? 1 : repetitions,
      inputsOf: () => [input],
      run: once,
      bank: new EwmaBank(1),
      placeOf,
    });
    rows.push(row);
  }
  return rows;
}
