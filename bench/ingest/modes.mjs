import {
  growthReport,
  namesReport,
  overloadReport,
  readsReport,
  restartReport,
  steadyReport,
  throughputReport,
} from './report.mjs';

const load = (file) => async (options) => (await import(`./modes/${file}.mjs`)).run(options);

/**
 * The measurements of `npm run bench:ingest`, in the order in which they run. `full`, `quick` and `smoke` are their
 * sizes; the last one only checks that a measurement runs.
 */
export const MODES = {
  history: {
    title: 'History: every point its own slot, accepted, scored, stored and readable',
    full: { seconds: 300, series: 10_000 },
    quick: { seconds: 15, series: 10_000 },
    smoke: { seconds: 2, series: 1000 },
    run: load('history'),
    report: throughputReport,
  },
  live: {
    title: 'Live: points bear the time of sending',
    full: { seconds: 60, series: 10_000 },
    quick: { seconds: 15, series: 10_000 },
    smoke: { seconds: 2, series: 1000 },
    run: load('live'),
    report: throughputReport,
  },
  steady: {
    title: 'Steady: every series a point a minute',
    full: { seconds: 1800, series: 200_000 },
    quick: { seconds: 60, series: 20_000 },
    smoke: { seconds: 5, series: 600 },
    run: load('steady'),
    report: steadyReport,
  },
  names: {
    title: 'Names: every point of a series that was never seen, beside series that are known',
    full: { seconds: 0, series: 500_000 },
    quick: { seconds: 0, series: 50_000 },
    smoke: { seconds: 0, series: 2000 },
    run: load('names'),
    report: namesReport,
  },
  growth: {
    title: 'Growth: a point a minute of 1, 10, 50 and 100 % of the series, each by a product of its own',
    full: { seconds: 900, series: 1_000_000 },
    quick: { seconds: 120, series: 100_000 },
    smoke: { seconds: 5, series: 2000 },
    run: load('growth'),
    report: growthReport,
  },
  restart: {
    title: 'Restart: from the start of the process until an anomaly is found',
    full: { seconds: 0, series: 200_000 },
    quick: { seconds: 0, series: 20_000 },
    smoke: { seconds: 0, series: 600 },
    run: load('restart'),
    report: restartReport,
  },
  reads: {
    title: 'Reads while 10,000 points a second come in',
    full: { seconds: 30, series: 200_000 },
    quick: { seconds: 5, series: 20_000 },
    smoke: { seconds: 1, series: 2000 },
    run: load('reads'),
    report: readsReport,
  },
  overload: {
    title: 'Overload: senders that push more than is taken, and do not wait',
    full: { seconds: 600, series: 40_000 },
    quick: { seconds: 20, series: 10_000 },
    smoke: { seconds: 3, series: 1000 },
    run: load('overload'),
    report: overloadReport,
  },
};
