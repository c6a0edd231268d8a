export { type BaselineModel, type BaselineOptions, BASELINES, type BaselineVerdicts } from './baselines/index.js';
export { detectSeries, type DetectSeriesOptions } from './detect-series.js';
export {
  ABLATION_CHANNELS,
  type AblationChannel,
  type ChannelVariant,
  NOVELTY_CHOICES,
} from './evaluation/ablation-channels.js';
export { chooseHeldOut } from './evaluation/ablation-choice.js';
export { type EvidenceRows, evidenceRows } from './evaluation/ablation-evidence.js';
export {
  eventsByLevel,
  LEVEL_FACTORS,
  type LevelFigure,
  levelFigure,
  nabByLevel,
  nabFigure,
  nabScoreOf,
} from './evaluation/ablation-figures.js';
export { type EventScore, scoreEvents } from './evaluation/event-score.js';
export { sweepEvents } from './evaluation/event-sweep.js';
export { scoreExpectedRange } from './evaluation/expected-range-score.js';
export { type PooledRange, poolRangeScores, type RangeScore } from './evaluation/interval-score.js';
export { type LabelledFigures, labelledFigures } from './evaluation/labelled-figures.js';
export { type LabelledSeries, paceOf, type SeriesPace, withoutWarmUp } from './evaluation/labelled-series.js';
export { NAB_PROFILES, type NabProfile } from './evaluation/nab-profile.js';
export { type NabFigures, nabFigures } from './evaluation/nab-figures.js';
export { labelledNormalRows, nabNormalRows } from './evaluation/normal-rows.js';
export { type NabSeries } from './evaluation/nab-rows.js';
export { type NabScore, scoreNab } from './evaluation/nab-score.js';
export { crossValidateNab, sweepNab } from './evaluation/nab-sweep.js';
export { areaUnderPr } from './evaluation/pr-area.js';
export { type RowRange } from './evaluation/row-range.js';
export { volumeUnderPr } from './evaluation/vus-pr.js';
export {
  NOVELTY_LEVEL,
  NOVELTY_WEIGHTS,
  noveltyQuietRows,
  RAREST_WEIGHT,
  SCORE_LEVEL,
  SCORE_WEIGHTS,
  scoreOf,
  scoreQuietRows,
  SPIKE_LEVEL,
  SPIKE_WEIGHT,
} from './series/channels.js';
export { PART_NAMES } from './series/parts.js';
export { WARM_UP_POINTS } from './series/series-detector.js';
export { DetectionShard } from './shard/detection-shard.js';
export { PAGE_RECORDS as PAGE_SERIES } from './shard/record-pages.js';
export { SnapshotFormatError } from './shard/snapshot.js';
export * from './types.js';
