import { throughputReport } from './report.mjs';

/** The measurements of `npm run bench:ingest`, in the order in which they run. */
export const MODES = {
  history: {
    title: 'History: every point its own slot, accepted, scored, stored and readable',
    full: { seconds: 300, series: 10_000 },
    quick: { seconds: 15, series: 10_000 },
    run: async (options) => (await import('./modes/history.mjs')).run(options),
    report: throughputReport,
  },
};
