import { type Scene } from './cell.js';
import { askedBudgets } from './scenes/asked-budgets.js';
import { awkwardSeries } from './scenes/awkward-series.js';
import { learntDailySine } from './scenes/daily-sine.js';
import { daylightSaving } from './scenes/daylight-saving.js';
import { falseAlarms } from './scenes/false-alarms.js';
import { frozenBaseline } from './scenes/frozen-baseline.js';
import { jobsThatVary } from './scenes/jobs-that-vary.js';
import { learntNoise } from './scenes/learnt-noise.js';
import { nightlyJob } from './scenes/nightly-job.js';
import { ordinarySeries } from './scenes/ordinary-series.js';
import { otherClocks } from './scenes/other-clocks.js';
import { otherSeasons } from './scenes/other-seasons.js';
import { readiness } from './scenes/readiness.js';
import { sameVerdicts } from './scenes/same-verdicts.js';
import { learntWorkingDays } from './scenes/working-days.js';

/** The promises of the detector that a few trials can test (behaviour.spec.ts). */
export const SHORT_SCENES: readonly Scene[] = [
  ...learntNoise,
  ...learntDailySine,
  ...learntWorkingDays,
  ...nightlyJob,
  ...jobsThatVary,
  ...falseAlarms,
  ...ordinarySeries,
  ...daylightSaving,
  ...frozenBaseline,
  ...awkwardSeries,
  ...otherClocks,
  ...otherSeasons,
  ...readiness,
  ...sameVerdicts,
];

/** All promises of the detector, for `npm run test:behaviour` (many trials). */
export const SCENES: readonly Scene[] = [...SHORT_SCENES, ...askedBudgets];
