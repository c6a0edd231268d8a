import { autoregressive, type Generator, white } from '#libs/detection/testing';
import { LearntSeries } from '../learnt-series.js';
import { atLeast, cell, type Scene, scene, yes } from '../cell.js';
import { commonKinds, findsCell, frozen, kindCell, outageCells, sign, stepCells } from '../events.js';

/** Deviation of the noise around 1. */
const SMALL = 0.05;

function small(seed: number): Generator {
  const noise = white(seed);
  return (index, timestamp) => 1 + SMALL * noise(index, timestamp);
}

/** Events in noise without a pattern. */
export const learntNoise: readonly Scene[] = [
  scene('white noise', (seed) => new LearntSeries(white(seed), { learntDays: 14, restDays: 4.5 })).with([
    findsCell('one minute of 9 sigma, up', atLeast(0.95), { minutes: 1, within: 1, change: (x) => x + 9 }),
    findsCell('one minute of 9 sigma, down', atLeast(0.95), { minutes: 1, within: 1, change: (x) => x - 9 }),
    findsCell('3 min of 6 sigma', atLeast(0.9), { minutes: 3, within: 3, change: (x) => x + 6 }),
    findsCell('10 min of 6 sigma', atLeast(0.99), { minutes: 10, within: 10, change: (x) => x + 6 }),
    ...outageCells(-50),
    ...stepCells(20),
    ...commonKinds,
  ]),
  scene('small values', (seed) => new LearntSeries(small(seed), { learntDays: 14, restDays: 1.5 })).with([
    cell('a drop of 10 sigma that stays is open at minute 10', atLeast(0.99), (learnt, chance) => {
      const from = learnt.anyMoment(chance);
      const open = learnt.episode(from, 11, (x) => x - 10 * SMALL, 0).openAt(from + 600);
      return yes(open !== undefined && open.openedAt >= from, open === undefined ? 'nothing' : 'before');
    }),
  ]),
  scene('AR(1) 0.99', (seed) => new LearntSeries(autoregressive(seed, 0.99), { learntDays: 14, restDays: 2.5 })).with([
    kindCell('flatline', 90, frozen),
    kindCell('missing_data', 60, () => () => undefined),
    // A steady departure without a jump: 150 in 20 hours, where the usual deviation of the series is 7.
    kindCell('new_value_range', 1200, (chance) => {
      const slope = sign(chance) / 8;
      return (x, minute) => x + slope * minute;
    }),
  ]),
];
