export { detectSeries, type DetectSeriesOptions } from './detect-series.js';
export { WARM_UP_POINTS } from './series/series-detector.js';
export { DetectionShard } from './shard/detection-shard.js';
export { SnapshotFormatError } from './shard/snapshot.js';
export * from './types.js';
