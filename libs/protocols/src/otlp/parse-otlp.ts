import { type ParseLimits } from '../batch/limits.js';
import { type OtlpResult } from './otlp-collector.js';
import { OtlpJsonReader } from './otlp-json-reader.js';
import { OtlpProtobufReader } from './otlp-protobuf-reader.js';
import { type OtlpOptions } from './otlp-options.js';

/**
 * Reads an OTLP `ExportMetricsServiceRequest`. Metric names are kept; attributes of data points and the chosen ones of the
 * resource become labels (dots become `_`). Monotonic cumulative sums are counters, delta sums rates, other sums and gauges
 * gauges. Histograms give `_count`, `_sum` and what their settings say, summaries `_count`, `_sum` and their quantiles.
 * A data point without a time is at `limits.now`; without a number it is `not_numeric`. Throws MalformedBodyError or
 * BodyTooLargeError, nothing else. O(body).
 * Source: opentelemetry-proto `metrics/v1/metrics.proto` and https://opentelemetry.io/docs/specs/otlp/
 */
export function parseOtlp(bytes: Uint8Array, options: OtlpOptions, limits: ParseLimits): OtlpResult {
  if (options.encoding === 'json') return new OtlpJsonReader(bytes, options, limits).parse();
  return new OtlpProtobufReader(bytes, options, limits).parse();
}
