import { DAY, type Generator, series, START, white } from '#libs/detection/testing';
import { type Change, LearntSeries } from '../learnt-series.js';
import { atLeast, atMostADay, type Cell, cell, type Scene, scene, reportOnly, yes } from '../cell.js';
import { found } from '../events.js';
import { openedInDays, watch } from '../watched.js';

/** Height of the job in noise deviations, and its length. */
const HEIGHT = 50;
const MINUTES = 30;

/** White noise with a job at the same minute of every day, anywhere between 00:00 and 21:59. */
function nightlyJobOf(seed: number): { job: Generator; secondOfDay: number } {
  const noise = white(seed);
  const secondOfDay = 60 * ((seed >>> 0) % 1320);
  const job: Generator = (index, timestamp) => {
    const since = (timestamp % DAY) - secondOfDay;
    return (since >= 0 && since < MINUTES * 60 ? HEIGHT : 0) + noise(index, timestamp);
  };
  return { job, secondOfDay };
}

interface LearntJob {
  learnt: LearntSeries;
  /** Expected time of the next run. */
  expectedAt: number;
}

const missing: Change = (x) => x - HEIGHT;
const late: Change = (x, minute) => (minute < MINUTES ? x - HEIGHT : minute >= 60 ? x + HEIGHT : x);
const twiceAsHigh: Change = (x) => x + HEIGHT;

function findsRun(name: string, minutes: number, within: number, change: Change): Cell<LearntJob> {
  return cell(name, atLeast(0.95), ({ learnt, expectedAt }) =>
    found(learnt.episode(expectedAt, minutes, change), expectedAt, within),
  );
}

function kindOfRun(name: string, minutes: number, change: Change): Cell<LearntJob> {
  return cell(name, atLeast(0.9), ({ learnt, expectedAt }) => {
    const kind = learnt.episode(expectedAt, minutes, change).covering(expectedAt, expectedAt + minutes * 60)
      ?.event.kind;
    return yes(kind === 'seasonal_break', kind ?? 'nothing');
  });
}

export const nightlyJob: readonly Scene[] = [
  scene('nightly job', (seed) => watch(series(14, 60, nightlyJobOf(seed).job))).with([
    cell('alarms before night 4', reportOnly('day'), (watched) => openedInDays(watched, 0, 3)),
    cell('alarms from night 4 on', atMostADay(0.1), (watched) => openedInDays(watched, 3, 14)),
  ]),
  scene('nightly job, learnt 7 nights', (seed): LearntJob => {
    const { job, secondOfDay } = nightlyJobOf(seed);
    return {
      learnt: new LearntSeries(job, { learntDays: 7, restDays: 1.5 }),
      expectedAt: START + 7 * DAY + secondOfDay,
    };
  }).with([
    findsRun('missing', MINUTES, 35, missing),
    findsRun('an hour late', 90, 95, late),
    findsRun('twice as high', MINUTES, MINUTES, twiceAsHigh),
    kindOfRun('kind seasonal_break when missing', MINUTES, missing),
    kindOfRun('kind seasonal_break when an hour late', MINUTES, late),
  ]),
];
