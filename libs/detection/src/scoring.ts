/**
 * The interface for benchmarks: the scores and their parts, so that they can be combined differently. The product does
 * not use it.
 */
export {
  NOVELTY_LEVEL,
  NOVELTY_WEIGHTS,
  noveltyQuietRows,
  quietened,
  RAREST_WEIGHT,
  SCORE_LEVEL,
  SCORE_WEIGHTS,
  scoreEvidence,
  scoreQuietRows,
  SPIKE_LEVEL,
  SPIKE_WEIGHT,
} from './scores/channels.js';
export { PART_NAMES, type PartName } from './scores/parts.js';
export { scoreOf } from './series/judgement/alarm-score.js';
export { WARM_UP_POINTS } from './series/series-detector.js';
export { usualPaceOfRows } from './series/usual-pace.js';
