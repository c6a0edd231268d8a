import { DAY, type Generator, series, START, uniform, white } from '#libs/detection/testing';
import { type Change, LearntSeries } from '../learnt-series.js';
import { atLeast, atMostADay, type Cell, cell, type Scene, scene } from '../cell.js';
import { found } from '../events.js';
import { openedInDays, watch } from '../watched.js';

const MINUTE = 60;
const DAYS = 28;
const LEARNT_DAYS = 14;

/**
 * Height of the job in noise deviations, its length in minutes, and minutes by which its start varies in each
 * direction.
 */
const HEIGHT = 50;
const MINUTES = 40;
const VARIES = 15;
/** Minutes before and after its usual time within which the job may run. */
const REACH = 90;

interface VaryingJob {
  job: Generator;
  /** Usual start, seconds of the day. */
  usual: number;
  startOf: (day: number) => number;
}

/** White noise with a job that begins up to a quarter of an hour early or late, at any time between 01:00 and 21:00. */
function varyingJobOf(seed: number): VaryingJob {
  const noise = white(seed);
  const next = uniform(~seed);
  const usual = MINUTE * Math.floor(60 + 1200 * next());
  const starts = Array.from({ length: DAYS + 1 }, () => usual + MINUTE * Math.round(2 * VARIES * next() - VARIES));
  const first = Math.floor(START / DAY);
  const startOf = (day: number): number => day * DAY + starts[day - first]!;
  const job: Generator = (index, timestamp) => {
    const since = timestamp - startOf(Math.floor(timestamp / DAY));
    return (since >= 0 && since < MINUTES * MINUTE ? HEIGHT : 0) + noise(index, timestamp);
  };
  return { job, usual, startOf };
}

interface LearntJob extends VaryingJob {
  learnt: LearntSeries;
  /** Start of the next run. */
  begins: number;
}

function finds(
  name: string,
  world: (job: LearntJob) => { from: number; minutes: number; within: number; change: Change },
): Cell<LearntJob> {
  return cell(name, atLeast(0.95), (job) => {
    const { from, minutes, within, change } = world(job);
    return found(job.learnt.episode(from, minutes, change, REACH), from, within);
  });
}

const RESTART_PER_MINUTE = 0.3;
const RESTART_NOISE = 4;

/** A leak that is reset by a restart at the same minute of every day. */
function leakOf(seed: number): { leak: Generator; secondOfDay: number } {
  const noise = white(seed);
  const secondOfDay = MINUTE * Math.floor(120 + 180 * uniform(~seed)());
  const leak: Generator = (index, timestamp) =>
    300 + (RESTART_PER_MINUTE * ((timestamp - secondOfDay) % DAY)) / MINUTE + RESTART_NOISE * noise(index, timestamp);
  return { leak, secondOfDay };
}

interface LearntLeak {
  learnt: LearntSeries;
  /** Expected time of the next restart. */
  expectedAt: number;
}

export const jobsThatVary: readonly Scene[] = [
  scene('job that begins 15 minutes early or late', (seed) => watch(series(DAYS, 60, varyingJobOf(seed).job))).with([
    cell('alarms from night 4 on', atMostADay(0.02), (watched) => openedInDays(watched, 3, DAYS)),
  ]),
  scene('job that begins 15 minutes early or late, learnt 14 nights', (seed): LearntJob => {
    const varying = varyingJobOf(seed);
    const learnt = new LearntSeries(varying.job, { learntDays: LEARNT_DAYS, restDays: 1.5 });
    return { ...varying, learnt, begins: varying.startOf(Math.floor(learnt.end / DAY)) };
  }).with([
    finds('missing', ({ begins }) => ({
      from: begins,
      minutes: MINUTES,
      within: MINUTES + REACH,
      change: (x) => x - HEIGHT,
    })),
    finds('twice as long', ({ begins }) => ({
      from: begins + MINUTES * MINUTE,
      minutes: MINUTES,
      within: MINUTES,
      change: (x) => x + HEIGHT,
    })),
    finds('at noon instead of its time', ({ learnt, usual }) => ({
      // Noon, or midnight for a job that is expected around noon.
      from: learnt.end + (Math.abs(usual - DAY / 2) > 4 * 3600 ? DAY / 2 : DAY),
      minutes: MINUTES,
      within: MINUTES,
      change: (x) => x + HEIGHT,
    })),
  ]),
  scene('leak with a daily restart', (seed) => watch(series(DAYS, 60, leakOf(seed).leak))).with([
    cell('alarms from night 4 on', atMostADay(0.02), (watched) => openedInDays(watched, 3, DAYS)),
  ]),
  scene('leak with a daily restart, learnt 14 nights', (seed): LearntLeak => {
    const { leak, secondOfDay } = leakOf(seed);
    const learnt = new LearntSeries(leak, { learntDays: LEARNT_DAYS, restDays: 1.5 });
    return { learnt, expectedAt: learnt.end + secondOfDay };
  }).with([
    cell('a restart that does not come is found within the hour', atLeast(0.95), ({ learnt, expectedAt }) =>
      found(
        learnt.episode(expectedAt, 720, (x) => x + 1440 * RESTART_PER_MINUTE),
        expectedAt,
        60,
      ),
    ),
    cell('a restart in the middle of the day is found', atLeast(0.95), ({ learnt, expectedAt }) => {
      const from = expectedAt + 8 * 3600;
      return found(
        learnt.episode(from, 240, (x) => x - 480 * RESTART_PER_MINUTE),
        from,
        30,
      );
    }),
  ]),
];
