/**
 * A face for benchmarks: the scores, and what they are made of, so that they can be put together in other ways. The product
 * needs none of it.
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
