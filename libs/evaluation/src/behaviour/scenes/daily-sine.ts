import { dailySine, DAY } from '#libs/detection/testing';
import { LearntSeries } from '../learnt-series.js';
import { atLeast, cell, type Scene, scene, yes } from '../cell.js';
import { commonKinds, findsCell, kindCell, outageCells, stepCells } from '../events.js';

/** A minute within an hour of the daily trough (18:00 UTC). */
const nearTrough = (learnt: LearntSeries, chance: () => number): number =>
  learnt.end + 0.75 * DAY + 60 * Math.round(120 * chance() - 60);

/** Events in a daily cycle of six noise deviations, learnt for 14 days. */
export const learntDailySine: readonly Scene[] = [
  scene('daily sine', (seed) => new LearntSeries(dailySine(seed), { learntDays: 14, restDays: 4.5 })).with([
    findsCell('60 min of +10 sigma, within 10 min', atLeast(0.99), { minutes: 60, within: 10, change: (x) => x + 10 }),
    findsCell('60 min of -10 sigma, within 10 min', atLeast(0.99), { minutes: 60, within: 10, change: (x) => x - 10 }),
    findsCell('10 min of +20 sigma', atLeast(0.99), { minutes: 10, within: 10, change: (x) => x + 20 }),
    findsCell('10 min of -20 sigma', atLeast(0.99), { minutes: 10, within: 10, change: (x) => x - 20 }),
    findsCell('3 min of +16 sigma in the trough', atLeast(0.95), {
      minutes: 3,
      within: 3,
      change: (x) => x + 16,
      from: nearTrough,
    }),
    cell('an hour of trouble has its begin, peak and end', atLeast(0.95), (learnt, chance) => {
      const from = learnt.anyMoment(chance);
      const end = from + 3600;
      const peak = from + 60 * Math.round(15 + 30 * chance());
      const trouble = learnt.episode(from, 60, (x, _, at) => x + (at === peak ? 40 : 20));
      const seen = trouble.covering(from, end)?.event;
      if (seen === undefined) return yes(false, 'nothing');
      if (Math.abs(seen.startTimestamp - from) > 120) return yes(false, 'another begin');
      if (seen.peakTimestamp !== peak) return yes(false, 'another peak');
      return yes(Math.abs((seen.endTimestamp ?? Infinity) - end) <= 600, 'another end');
    }),
    ...outageCells(-50),
    ...stepCells(20),
    ...commonKinds,
  ]),
  scene(
    'daily sine of 20 sigma',
    (seed) => new LearntSeries(dailySine(seed, 20), { learntDays: 14, restDays: 2 }),
  ).with([
    // From trough to trough (18:00), the value stays at its lowest level: a usual value, but not at this time.
    kindCell('seasonal_break', 1440, () => (x, minute) => x + 20 * Math.cos((2 * Math.PI * minute) / 1440) - 20, {
      name: 'kind seasonal_break of a day without its wave',
      from: (learnt) => learnt.end + 0.75 * DAY,
    }),
  ]),
];
