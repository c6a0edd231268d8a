/** The interface for libs/evaluation: seeded series, and shared code for tests of verdicts. Not used by the product. */
export { type Random, seededRandom } from '#libs/synthetic';
export { AUTUMN_CHANGE, BERLIN, berlinNightlyJob, berlinOpeningHours, berlinSine, SPRING_CHANGE } from './berlin.js';
export { differenceFromWhole, differenceOfEvents, firstRows, unsoundIn } from './columns.js';
export {
  autoregressive,
  counterWithResets,
  dailySine,
  DAY,
  during,
  fewIntegers,
  type Generator,
  logNormal,
  movedConstant,
  normal,
  poissonCounts,
  pulses,
  type Rows,
  scaled,
  series,
  sparseCounts,
  START,
  stickyInteger,
  uniform,
  wave,
  white,
  workingDays,
} from './generators.js';
export { definition, input, tick } from './shard-input.js';
