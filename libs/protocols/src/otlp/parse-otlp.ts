import { type ParseLimits } from '../batch/limits.js';
import { canonicalName, isNameProblem, parseMetricName } from '../names/metric-name.js';
import { UNLIMITED } from '../names/name-limits.js';
import { type OtlpResult } from './otlp-collector.js';
import { OtlpJsonReader } from './otlp-json-reader.js';
import { OtlpProtobufReader } from './otlp-protobuf-reader.js';
import { type OtlpOptions } from './otlp-options.js';

const PART_SUFFIX = /_(?:count|sum|bucket)$/;

/**
 * Reads an OTLP `ExportMetricsServiceRequest`. Metric names are kept; attributes of data points and the chosen ones of
 * the resource become labels (dots become `_`). Monotonic cumulative sums are counters, delta sums rates, other sums
 * and gauges gauges. Histograms give `_count`, `_sum` and the series of their settings, summaries `_count`, `_sum` and
 * their quantiles. A data point without a time is at `limits.now`; without a number it is `not_numeric`. Throws
 * MalformedBodyError or BodyTooLargeError, nothing else. O(body). Source: opentelemetry-proto
 * `metrics/v1/metrics.proto` and https://opentelemetry.io/docs/specs/otlp/
 */
export function parseOtlp(bytes: Uint8Array, options: OtlpOptions, limits: ParseLimits): OtlpResult {
  if (options.encoding === 'json') return new OtlpJsonReader(bytes, options, limits).parse();
  return new OtlpProtobufReader(bytes, options, limits).parse();
}

/**
 * Data points with a refused part, which partialSuccess counts. The refusals (of the parser, and those added by
 * dropSeries) count rows; of a histogram or summary, the row refused most often gives the number of its refused data
 * points. O(refused metrics).
 */
export function countRejectedDataPoints({ refusals, histogramPoints, dataPoints }: OtlpResult): number {
  let rejected = 0;
  const byHistogram = new Map<string, number>();
  for (const [metric, reasons] of refusals.metrics) {
    const rows = Object.values(reasons).reduce((sum, count) => sum + count, 0);
    const histogram = histogramPoints.size === 0 ? null : histogramOf(metric, histogramPoints);
    if (histogram === null) rejected += rows;
    else byHistogram.set(histogram, Math.max(rows, byHistogram.get(histogram) ?? 0));
  }
  for (const [histogram, rows] of byHistogram) rejected += Math.min(rows, histogramPoints.get(histogram) ?? 0);
  return Math.min(rejected, dataPoints);
}

/** The histogram or summary of a row; null for the row of a number. */
function histogramOf(metric: string, histograms: ReadonlyMap<string, number>): string | null {
  if (histograms.has(metric)) return metric;
  const parsed = parseMetricName(metric, UNLIMITED);
  if (isNameProblem(parsed)) return null;
  const base = canonicalName(parsed.displayName.replace(PART_SUFFIX, ''), { ...parsed.labels, quantile: '', le: '' });
  return histograms.has(base) ? base : null;
}
