export * from './batch/drop-series.js';
export * from './batch/errors.js';
export { type ParseLimits, parseLimits } from './batch/limits.js';
export * from './batch/parsed-batch.js';
export * from './batch/refusals.js';
export * from './batch/report.js';
export { type GraphiteBatch, GraphiteReader } from './graphite/graphite-reader.js';
export * from './histograms/histogram-settings.js';
export { HistogramFolder, type HistogramFolding } from './histograms/histogram-folder.js';
export * from './influx/parse-influx.js';
export { type JsonBody, type JsonSwitches, parseJsonMetrics, readJsonBody } from './json/parse-json.js';
export { GenerationCache, type GenerationCacheOptions, type GenerationTable } from './names/generation-cache.js';
export { CachedName, NameCache, type NameCacheOptions, NameTable, type Spelling } from './names/name-cache.js';
export {
  canonicalName,
  composeMetricName,
  composeSanitised,
  isNameProblem,
  type LabelPair,
  type MetricNameProblem,
  parseMetricName,
  type ParsedMetricName,
  sanitiseLabelKey,
  sanitiseLabelValue,
  sanitiseName,
} from './names/metric-name.js';
export * from './otlp/otlp-response.js';
export {
  type EndedSeries,
  type MetricMetadata,
  parseRemoteWrite,
  type RemoteWriteResult,
} from './prometheus/parse-remote-write.js';
export { snappyUncompressedLength } from './prometheus/snappy-length.js';
