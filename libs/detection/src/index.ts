export {
  accountOf,
  type Counterfactual,
  DETECTOR_VERSION,
  type RecordedOpening,
  type VerdictAccount,
} from './account.js';
export { detectSeries, type DetectSeriesOptions } from './detect-series.js';
export { type ScoredVerdicts, scoreSeries } from './scores/score-series.js';
export { WARM_UP_POINTS } from './series/series-detector.js';
export { DEFAULT_BUDGET } from './series/judgement/false-alarm-budget.js';
export { DetectionShard } from './shard/detection-shard.js';
export { PAGE_RECORDS as PAGE_SERIES } from './shard/record-pages.js';
export { definitionsPart, SnapshotFormatError } from './shard/snapshot.js';
export * from './types.js';
