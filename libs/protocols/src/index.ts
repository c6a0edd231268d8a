export * from './batch/drop-series.js';
export { collectFetched, type FetchedOptions, type FetchedSeries } from './batch/collect-fetched.js';
export * from './batch/errors.js';
export { type ParseLimits, parseLimits } from './batch/limits.js';
export * from './batch/parsed-batch.js';
export { excerpt, quoted } from './batch/quoted.js';
export * from './batch/refusals.js';
export * from './batch/report.js';
export { type GraphiteBatch, GraphiteReader } from './graphite/graphite-reader.js';
export { NAME_HEADINGS, TABLE_ANNOTATIONS, TIME_HEADINGS, VALUE_HEADINGS } from './csv/csv-columns.js';
export { CsvCells } from './csv/csv-cells.js';
export { type DecimalSign } from './csv/csv-number.js';
export { CsvScanner } from './csv/csv-scanner.js';
export { type CsvOptions, parseCsv } from './csv/parse-csv.js';
export * from './histograms/histogram-settings.js';
export { HistogramFolder, type HistogramFolding } from './histograms/histogram-folder.js';
export * from './influx/parse-influx.js';
export { type JsonBody, type JsonSwitches, parseJsonMetrics, readJsonBody } from './json/parse-json.js';
export { findMember } from './json/find-member.js';
export { GenerationCache, type GenerationCacheOptions, type GenerationTable } from './names/generation-cache.js';
export { CachedName } from './names/cached-name.js';
export {
  MAX_KEPT_KEY_LENGTH,
  NameCache,
  type NameCacheOptions,
  type NameTable,
  type Spelling,
} from './names/name-cache.js';
export {
  canonicalName,
  composeMetricName,
  displayNameOf,
  composeSanitised,
  isNameProblem,
  labelsOf,
  type LabelPair,
  type MetricNameProblem,
  parseMetricName,
  type ParsedMetricName,
  sanitiseLabelKey,
  sanitiseLabelValue,
  sanitiseName,
} from './names/metric-name.js';
export { type OtlpResult } from './otlp/otlp-collector.js';
export { DEFAULT_RESOURCE_ATTRIBUTES } from './otlp/otlp-labels.js';
export { type OtlpOptions } from './otlp/otlp-options.js';
export * from './otlp/otlp-response.js';
export { parseOtlp } from './otlp/parse-otlp.js';
export { countRejectedDataPoints } from './otlp/parse-otlp.js';
export { composeRemoteWrite, type RemoteWriteSample } from './prometheus/compose-remote-write.js';
export { type MetricMetadata } from './prometheus/metadata.js';
export { type ExpositionOptions, parseExposition } from './prometheus/parse-exposition.js';
export { parseRemoteWrite } from './prometheus/parse-remote-write.js';
export { parseRemoteWrite2 } from './prometheus/parse-remote-write-2.js';
export {
  countWritten,
  type EndedSeries,
  type RemoteWriteResult,
  type WrittenCounts,
} from './prometheus/remote-write-body.js';
export { TimeFormat, TimeFormatError } from './time/time-format.js';
export { TimeOrder, TimeReader } from './time/time-reader.js';
export { readRetryAfter } from './time/retry-after.js';
export { unixSeconds } from './time/unix-time.js';
export { snappyUncompressedLength } from './prometheus/snappy-length.js';
