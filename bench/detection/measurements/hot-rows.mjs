import { loadDetection } from '../detection.mjs';
import { definitionOf, placeOf, seriesBySeries } from '../series-data.mjs';
import { speedRow } from '../speed.mjs';
import { EwmaBank } from '../yardstick.mjs';

const HOT = 0;

/** Measures `detectSeries` over one stored series, from its first row to its last. */
export async function measure(task) {
  const { detectSeries } = await loadDetection(task);
  const { repetitions, hot } = task.sizes;
  const { type, aggregation, timezone } = definitionOf(HOT);
  const run = ([{ timestamps, values }]) => detectSeries(timestamps, values, { type, aggregation, timezone });
  run([seriesBySeries('backfill', HOT, 1, 0, hot.history)]);
  const { row } = speedRow({
    id: 'hot-rows',
    name: 'one series, detectSeries',
    repetitions,
    inputsOf: () => [seriesBySeries('backfill', HOT, 1, 0, hot.points)],
    run,
    bank: new EwmaBank(1),
    placeOf,
  });
  return [row];
}
