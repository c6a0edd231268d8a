import { workingDays } from '#libs/detection/testing';
import { LearntSeries } from '../learnt-series.js';
import { atLeast, type Scene, scene } from '../cell.js';
import { findsCell } from '../events.js';

/** Events in a weekday/weekend cycle, at any time of the fourth week. One noise deviation is 3. */
const anyDay = (learnt: LearntSeries, chance: () => number): number => learnt.anyMoment(chance, 7);

export const learntWorkingDays: readonly Scene[] = [
  scene('weekday/weekend cycle', (seed) => new LearntSeries(workingDays(seed), { learntDays: 21, restDays: 7.1 })).with(
    [
      findsCell('60 min of +10 sigma', atLeast(0.95), { minutes: 60, within: 60, change: (x) => x + 30, from: anyDay }),
      findsCell('60 min of -10 sigma', atLeast(0.95), { minutes: 60, within: 60, change: (x) => x - 30, from: anyDay }),
      findsCell('10 min of +20 sigma', atLeast(0.95), { minutes: 10, within: 10, change: (x) => x + 60, from: anyDay }),
      findsCell('10 min of -20 sigma', atLeast(0.95), { minutes: 10, within: 10, change: (x) => x - 60, from: anyDay }),
    ],
  ),
];
